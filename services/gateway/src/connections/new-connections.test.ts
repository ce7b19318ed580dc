import { EventEmitter } from "node:events";
import { expect } from "chai";
import { watchNewConnections } from "./new-connections.ts";

const MORE_THAN_A_TURN = 100;

describe("new connections of a busy gateway", () => {
  let server: EventEmitter;
  let nowMs: number;
  let endTurn: () => void;
  let newConnections: ReturnType<typeof watchNewConnections>;
  let started: number;
  beforeEach(() => {
    server = new EventEmitter();
    nowMs = 0;
    endTurn = () => {};
    started = 0;
    newConnections = watchNewConnections(
      server,
      () => nowMs,
      (run) => {
        endTurn = run;
      },
    );
  });
  const connect = () => server.emit("connection");
  const request = (times: number) => {
    for (let count = 0; count < times; count += 1) {
      if (newConnections.comeFirst()) newConnections.whenAccepted(() => (started += 1));
      else started += 1;
    }
  };

  it("come before most requests of a busy turn, and before all while connections are waiting", () => {
    connect();
    request(MORE_THAN_A_TURN);
    expect(started).to.equal(64);
    expect(newConnections.held()).to.equal(36);
    for (let turn = 0; turn < 50; turn += 1) {
      endTurn();
      connect();
      request(1);
    }
    expect(started, "while connections arrive").to.equal(64);
    endTurn();
    expect(started, "in the next turn").to.equal(64);
    endTurn();
    expect(started).to.equal(150);
    expect(newConnections.held()).to.equal(0);
  });

  it("also come first in the turn after a new connection, which may have come last in its turn", () => {
    request(MORE_THAN_A_TURN);
    connect();
    endTurn();
    expect(started).to.equal(MORE_THAN_A_TURN);
    request(MORE_THAN_A_TURN);
    expect(newConnections.held()).to.equal(36);
  });

  it("come before requests that would make a turn longer than 2 ms, however few", () => {
    connect();
    request(1);
    nowMs = 2;
    request(1);
    expect(started).to.equal(2);
    nowMs = 2.1;
    request(1);
    expect([started, newConnections.held()]).to.deep.equal([2, 1]);
  });

  it("delay requests by 100 ms at most, and then give them as much time", () => {
    connect();
    request(MORE_THAN_A_TURN);
    // The turn in which requests begin to wait may be long, and brings only one connection.
    nowMs = 500;
    connect();
    endTurn();
    nowMs = 599;
    connect();
    endTurn();
    expect(started).to.equal(64);
    nowMs = 620;
    connect();
    endTurn();
    expect(started).to.equal(100);
    for (nowMs = 621; nowMs < 740; nowMs += 20) {
      connect();
      request(MORE_THAN_A_TURN);
      endTurn();
    }
    expect(started, "none waits for another 120 ms").to.equal(700);
    nowMs = 741;
    connect();
    request(MORE_THAN_A_TURN);
    expect(newConnections.held()).to.equal(36);
  });

  it("delay nothing in turns with few requests or without new connections", () => {
    for (let turn = 0; turn < 10; turn += 1) {
      connect();
      request(50);
      endTurn();
    }
    expect(started).to.equal(500);
    endTurn();
    request(1_000);
    expect(started).to.equal(1_500);
  });
});
