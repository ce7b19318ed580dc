import { expect } from "chai";
import { createAttempts, waitAfter } from "./attempts.ts";

describe("attempts to sign in", () => {
  let nowMs = 0;
  const failing = (count: number, who: string | null = null) => {
    const attempts = createAttempts(() => nowMs);
    for (let failures = 0; failures < count; failures += 1) attempts.failed(who);
    return attempts;
  };

  for (const [failures, waitMs] of [
    [0, 0],
    [4, 0],
    [5, 1_000],
    [6, 2_000],
    [10, 32_000],
    [11, 60_000],
    [100_000, 60_000],
  ] as const)
    it(`wait ${waitMs} ms after ${failures} failures`, () => expect(waitAfter(failures)).to.equal(waitMs));

  it("may be made again once the wait is over", () => {
    const attempts = failing(6);
    expect(attempts.waitMs(null)).to.equal(2_000);
    nowMs += 1_999;
    expect(attempts.waitMs(null)).to.equal(1);
    nowMs += 1;
    expect(attempts.waitMs(null)).to.equal(0);
    attempts.failed(null);
    expect(attempts.waitMs(null)).to.equal(4_000);
  });

  it("of strangers hold back no browser that signed in before, and the other way round", () => {
    const attempts = failing(20);
    expect(attempts.waitMs("a browser")).to.equal(0);
    for (let failures = 0; failures < 5; failures += 1) attempts.failed("a browser");
    expect(attempts.waitMs("a browser")).to.equal(1_000);
    expect(attempts.waitMs("another")).to.equal(0);
  });

  it("are forgotten after a success, and after a quarter of an hour", () => {
    const attempts = failing(20);
    attempts.succeeded(null);
    expect(attempts.waitMs(null)).to.equal(0);
    const others = failing(20);
    nowMs += 15 * 60_000;
    others.failed(null);
    expect(others.waitMs(null)).to.equal(60_000);
    nowMs += 15 * 60_000;
    expect(others.waitMs(null)).to.equal(0);
    others.failed(null);
    expect(others.waitMs(null)).to.equal(0);
  });
});
