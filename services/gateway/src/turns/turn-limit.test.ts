import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { createTurnLimit } from "./turn-limit.ts";

/** More than the 1,024 that libuv reads at a time. */
const CONNECTIONS = 2_048;
const REQUESTS_PER_SIGNAL = 256;
/** Longer than the clients take to send the next request, so that more than 1,024 have always sent one. */
const REQUEST_MS = 0.05;
/** Many clients, each of which sends a request, and the next one as soon as it has a response. */
const CLIENTS = `
  const { connect } = require("node:net");
  const { workerData: { port, connections } } = require("node:worker_threads");
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write("?")).on("error", () => {});
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
    let requests = 0;
    const sockets: Socket[] = [];
    const endTurn = () => {
      longestTurn = Math.max(longestTurn, requestsInTurn);
      requestsInTurn = 0;
    };
    const serve = (socket: Socket) => {
      if (requestsInTurn === 0) setImmediate(endTurn);
      requestsInTurn += 1;
      requests += 1;
      limitTurn();
      for (const startedMs = performance.now(); performance.now() - startedMs < REQUEST_MS; );
      socket.write("!");
    };
    // Once all are connected, all have sent a request.
    const server = createServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      if (sockets.length === CONNECTIONS) for (const one of sockets) one.on("data", () => serve(one));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port, connections: CONNECTIONS } });
    while (requests < 10 * CONNECTIONS) await nextTurn();
    for (const socket of sockets) socket.destroy();
    server.close();
    await clients.terminate();
    expect(longestTurn).to.be.within(REQUESTS_PER_SIGNAL, 2 * CONNECTIONS);
  });
});
