import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { createTurns, type Turns } from "./turns.ts";

describe("turns of the event loop", () => {
  let server: EventEmitter;
  let nowMs: number;
  /** How long each request takes. */
  let requestMs: number;
  let started: number[];
  let ends: (() => void)[];
  let turns: Turns<number>;
  beforeEach(() => {
    server = new EventEmitter();
    nowMs = 0;
    requestMs = 0.1;
    started = [];
    ends = [];
    turns = createTurns(
      server,
      (connection: number) => {
        started.push(connection);
        // As a lookup does, after the request has started.
        queueMicrotask(() => {
          nowMs += requestMs;
        });
      },
      () => nowMs,
      (run) => ends.push(run),
    );
  });
  const endTurn = async () => {
    for (const end of ends.splice(0)) end();
    await nextTurn();
  };
  /** Requests that arrive in one turn, each on a connection of its own. @returns how many started without waiting. */
  const arrive = (count: number) => {
    let now = 0;
    for (let connection = 0; connection < count; connection += 1) {
      if (turns.isOver()) turns.wait(connection, false);
      else {
        now += 1;
        nowMs += requestMs;
      }
    }
    return now;
  };
  const connect = () => server.emit("connection");

  it("have requests of 10 ms; the others wait for the next turns, in order", async () => {
    requestMs = 0.25;
    expect(arrive(120)).to.equal(41);
    await endTurn();
    expect(started).to.deep.equal(Array.from({ length: 41 }, (_, index) => 41 + index));
    await endTurn();
    expect(started).to.deep.equal(Array.from({ length: 79 }, (_, index) => 41 + index));
    expect(arrive(1), "in the same turn").to.equal(1);
  });

  it("have requests of 2 ms if they have accepted a connection", () => {
    requestMs = 0.25;
    connect();
    expect(arrive(100)).to.equal(9);
  });

  it("have none while connections are accepted, once some requests wait", async () => {
    connect();
    arrive(100);
    for (let turn = 0; turn < 50; turn += 1) {
      connect();
      expect(arrive(1)).to.equal(0);
      await endTurn();
    }
    expect(started, "while connections arrive").to.deep.equal([]);
    await endTurn();
    expect(started.length, "in a turn without one").to.be.above(70);
  });

  it("have requests again after 100 ms of accepting, for at least as long", async () => {
    connect();
    arrive(100);
    // The turn in which requests begin to wait may be long, and brings only one connection.
    nowMs = 500;
    connect();
    await endTurn();
    nowMs = 599;
    connect();
    await endTurn();
    expect(started).to.deep.equal([]);
    nowMs = 620;
    connect();
    await endTurn();
    expect(started.length).to.be.above(70);
    const startsOne = async () => {
      const before = started.length;
      turns.wait(1, false);
      connect();
      await endTurn();
      return started.length > before;
    };
    for (nowMs = 640; nowMs < 735; nowMs += 20) expect(await startsOne()).to.equal(true);
    nowMs = 741;
    expect(await startsOne(), "after 120 ms").to.equal(false);
  });

  it("aren't shorter for a connection if few requests come", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      connect();
      expect(arrive(10)).to.equal(10);
      await endTurn();
    }
  });

  it("have 16 waiting requests at least, however long they take", async () => {
    requestMs = 50;
    expect(arrive(30)).to.equal(1);
    await endTurn();
    expect(started.length).to.equal(16);
    await endTurn();
    expect(started.length).to.equal(29);
  });

  it("don't have a second request of a connection that waits again", async () => {
    turns = createTurns(
      server,
      (connection) => {
        started.push(connection);
        turns.wait(connection, false);
      },
      () => nowMs,
      (run) => ends.push(run),
    );
    for (const connection of [1, 2]) turns.wait(connection, false);
    await endTurn();
    expect(started).to.deep.equal([1, 2]);
    await endTurn();
    expect(started).to.deep.equal([1, 2, 1, 2]);
  });

  it("alternate between requests that arrive and connections that continue", async () => {
    for (const connection of [10, 11, 12]) turns.wait(connection, true);
    for (const connection of [1, 2]) turns.wait(connection, false);
    await endTurn();
    expect(started).to.deep.equal([1, 10, 2, 11, 12]);
  });

  it("end only while there are requests or connections", async () => {
    arrive(1);
    await endTurn();
    expect(ends).to.have.length(0);
    connect();
    await endTurn();
    await endTurn();
    expect(ends).to.have.length(0);
  });
});
