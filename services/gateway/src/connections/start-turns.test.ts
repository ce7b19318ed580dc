import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Exchange } from "../request/exchange.ts";
import { createConnections, MIN_STARTED_PER_TURN } from "./connections.ts";

const CONNECTIONS = 200;

describe("waiting requests of many connections", () => {
  let started: number;
  /** Runs what waits for new connections; null: none are being accepted. */
  let accepted: (() => void)[] | null;
  let connections: ReturnType<typeof createConnections>;
  beforeEach(() => {
    started = 0;
    accepted = null;
    connections = createConnections({
      start: () => {
        started += 1;
      },
      end: () => {},
      newConnections: {
        comeFirst: () => accepted !== null,
        whenAccepted: (start) => accepted?.push(start),
        held: () => accepted?.length ?? 0,
      },
      onRequest: () => {},
      working: () => 0,
      maxInFlight: 10_000,
      onClosed: () => {},
    });
  });
  afterEach(() => connections[Symbol.dispose]());

  const newSocket = () => Object.assign(new EventEmitter(), { writableLength: 0 }) as unknown as Socket;
  const accept = (sockets: readonly Socket[]) => {
    const exchanges = sockets.map(exchangeOn);
    for (const exchange of exchanges) connections.accept(exchange);
    return exchanges;
  };
  /** On each connection, a request has its response, and another one waited for it. */
  const acceptTwoEach = () => {
    const sockets = Array.from({ length: CONNECTIONS }, newSocket);
    const first = accept(sockets);
    accept(sockets);
    for (const { res } of first) (res as unknown as EventEmitter).emit("close");
  };

  it("start a few per turn of the event loop, since a turn accepts only one new connection", async () => {
    acceptTwoEach();
    for (let expected = CONNECTIONS; expected < 2 * CONNECTIONS; expected += MIN_STARTED_PER_TURN) {
      expect(started).to.equal(expected);
      await nextTurn();
    }
    expect(started).to.equal(2 * CONNECTIONS);
  });

  it("start as many as requests that don't wait, so that their connections aren't left behind", async () => {
    acceptTwoEach();
    await nextTurn();
    const startedBefore = started;
    accept(Array.from({ length: 50 }, newSocket));
    await nextTurn();
    expect(started).to.equal(startedBefore + 50 + 50);
    await nextTurn();
    expect(started).to.equal(startedBefore + 50 + 50 + MIN_STARTED_PER_TURN);
  });

  it("wait while new connections are being accepted", async () => {
    acceptTwoEach();
    accepted = [];
    await nextTurn();
    const startedBefore = started;
    await nextTurn();
    expect([started, accepted.length]).to.deep.equal([startedBefore, 1]);
    const [start] = accepted;
    accepted = null;
    start?.();
    expect(started).to.equal(startedBefore + MIN_STARTED_PER_TURN);
  });
});

function exchangeOn(socket: Socket): Exchange {
  const res = Object.assign(new EventEmitter(), { shouldKeepAlive: true }) as unknown as ServerResponse;
  return { req: { socket } as IncomingMessage, res, unreadable: null } as unknown as Exchange;
}
