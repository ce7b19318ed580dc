import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { createTurnLimit } from "./turn-limit.ts";

/** More than the 1,024 that libuv reads at a time. */
const CONNECTIONS = 2_048;
const REQUESTS_PER_SIGNAL = 256;
/** Turns after which the test ends. Without the limit, already the first takes seconds. */
const TURNS = 3;
/** Longer than the clients take to send the next request, so that more than 1,024 have always sent one. */
const REQUEST_MS = 0.05;
/** Many clients, each of which sends a request, and the next one as soon as it has a response. Says when all have sent the first. */
const CLIENTS = `
  const { connect } = require("node:net");
  const { parentPort, workerData: { port, connections } } = require("node:worker_threads");
  let sent = 0;
  const onSent = () => {
    sent += 1;
    if (sent === connections) parentPort.postMessage("sent");
  };
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write("?", onSent)).on("error", () => {});
    socket.on("data", () => socket.write("?"));
  }
`;

describe("createTurnLimit", function () {
  this.timeout(20_000);

  it("sends a signal after so many requests, again and again", async () => {
    let signals = 0;
    const onSignal = () => {
      signals += 1;
    };
    process.on("SIGURG", onSignal);
    const limitTurn = createTurnLimit(3);
    const sent = [];
    for (let request = 0; request < 7; request += 1) {
      limitTurn();
      await nextTurn();
      await nextTurn();
      sent.push(signals);
    }
    process.off("SIGURG", onSignal);
    expect(sent).to.deep.equal([0, 0, 1, 1, 1, 2, 2]);
  });

  it("ends turns in which thousands of clients send one request after another", async () => {
    const limitTurn = createTurnLimit(REQUESTS_PER_SIGNAL);
    let requestsInTurn = 0;
    let longestTurn = 0;
    let turns = 0;
    const sockets: Socket[] = [];
    const endTurn = () => {
      turns += 1;
      longestTurn = Math.max(longestTurn, requestsInTurn);
      requestsInTurn = 0;
    };
    const serve = (socket: Socket) => {
      if (requestsInTurn === 0) setImmediate(endTurn);
      requestsInTurn += 1;
      limitTurn();
      for (const startedMs = performance.now(); performance.now() - startedMs < REQUEST_MS; );
      socket.write("!");
    };
    const server = createServer((socket) => sockets.push(socket.on("error", () => {})));
    // With a shorter queue, the system drops connections, and clients retry them after 1, 3, 7 and 15 s.
    server.listen({ port: 0, host: "127.0.0.1", backlog: CONNECTIONS });
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, connections: CONNECTIONS } });
    await once(clients, "message");
    while (sockets.length < CONNECTIONS) await nextTurn();
    for (const socket of sockets) socket.on("data", () => serve(socket));
    while (turns < TURNS) await nextTurn();
    for (const socket of sockets) socket.destroy();
    server.close();
    await clients.terminate();
    expect(longestTurn).to.be.within(REQUESTS_PER_SIGNAL, 2 * CONNECTIONS);
  });
});
