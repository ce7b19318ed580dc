import { expect } from "chai";
import { createBreaker } from "./breaker.ts";

describe("the circuit breaker", () => {
  let now: number;
  let breaker: ReturnType<typeof createBreaker>;
  beforeEach(() => {
    now = 0;
    breaker = createBreaker(() => now);
  });
  const calls = (count: number) => Array.from({ length: count }, () => breaker.pausedBy());
  const fail = (count: number) => {
    for (let i = 0; i < count; i += 1) breaker.failed();
  };

  it("opens after five failures in a row, lets one call test the service every 5 s, and closes when it succeeds", () => {
    fail(4);
    breaker.succeeded();
    fail(4);
    expect(calls(2)).to.deep.equal([null, null]);
    fail(1);
    expect(calls(2)).to.deep.equal(["failures", "failures"]);
    now = 5_000;
    expect(calls(3)).to.deep.equal([null, "failures", "failures"]);
    fail(1);
    now = 9_999;
    expect(calls(1)).to.deep.equal(["failures"]);
    now = 10_000;
    expect(calls(2)).to.deep.equal([null, "failures"]);
    breaker.succeeded();
    expect(calls(3)).to.deep.equal([null, null, null]);
  });

  it("pauses when no requests are left, and other failures don't shorten the pause", () => {
    breaker.quotaExceeded(60_000);
    now = 50_000;
    fail(5);
    now = 59_999;
    expect(calls(1)).to.deep.equal(["quota"]);
    now = 60_000;
    expect(calls(2)).to.deep.equal([null, "failures"]);
  });
});
