import { expect } from "chai";
import { limitSubject, memoryHourlyLimit, takeFromWindow } from "./hourly-limit.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1, 12, 34, 56, 789);

describe("takeFromWindow", () => {
  it("opens the hour at the first request", () => {
    expect(takeFromWindow(undefined, START_MS, 2)).to.deep.equal({
      window: { startMs: START_MS, used: 1 },
      admitted: true,
    });
  });
  it("admits up to the limit and then refuses without counting", () => {
    const full = { startMs: START_MS, used: 2 };
    expect(takeFromWindow({ startMs: START_MS, used: 1 }, START_MS + 5, 2)).to.deep.equal({
      window: full,
      admitted: true,
    });
    expect(takeFromWindow(full, START_MS + HOUR_MS - 1, 2)).to.deep.equal({ window: full, admitted: false });
  });
  it("opens a new hour when the old one is over", () => {
    const at = START_MS + HOUR_MS;
    expect(takeFromWindow({ startMs: START_MS, used: 2 }, at, 2)).to.deep.equal({
      window: { startMs: at, used: 1 },
      admitted: true,
    });
  });
  it("opens a new hour when the clock was set back, rather than refuse until it catches up", () => {
    const at = START_MS - 10 * HOUR_MS;
    expect(takeFromWindow({ startMs: START_MS, used: 2 }, at, 2)).to.deep.equal({
      window: { startMs: at, used: 1 },
      admitted: true,
    });
  });
  it("admits nobody at a limit of 0", () => expect(takeFromWindow(undefined, START_MS, 0).admitted).to.equal(false));
});

describe("limitSubject", () => {
  it("takes IPv4 whole", () => expect(limitSubject("192.0.2.7", 64)).to.equal("192.0.2.7"));
  const sameSubject = (prefix: number, a: string, b: string) => limitSubject(a, prefix) === limitSubject(b, prefix);
  for (const [prefix, a, b, same] of [
    [64, "2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true],
    [64, "2001:db8::1", "2001:db8:0:1::1", false],
    [56, "2001:db8:0:1::1", "2001:db8:0:ff::1", true],
    [56, "2001:db8:0:ff::1", "2001:db8:0:100::1", false],
    [60, "2001:db8:0:10::", "2001:db8:0:1f::", true],
    [60, "2001:db8:0:10::", "2001:db8:0:20::", false],
    [128, "2001:db8::1", "2001:db8::2", false],
    [1, "8000::", "ffff::", true],
  ] as const) {
    it(`/${prefix}: ${a} and ${b} are ${same ? "one" : "two"}`, () => expect(sameSubject(prefix, a, b)).to.equal(same));
  }
});

describe("memoryHourlyLimit", () => {
  it("admits exactly the limit, tells what is left and when the hour ends", async () => {
    let nowMs = START_MS;
    const limit = memoryHourlyLimit({ limit: 60, ipv6Prefix: 64, clock: () => nowMs });
    const decisions = await Promise.all(Array.from({ length: 100 }, () => limit.take("192.0.2.7")));
    expect(decisions.filter(({ admitted }) => admitted)).to.have.length(60);
    expect(decisions[0]).to.deep.equal({
      admitted: true,
      remaining: 59,
      resetUnixSeconds: Math.ceil((START_MS + HOUR_MS) / 1000),
    });
    expect(decisions[99]?.remaining).to.equal(0);
    expect((await limit.take("192.0.2.8")).remaining, "another caller").to.equal(59);
    nowMs += HOUR_MS;
    expect((await limit.take("192.0.2.7")).remaining, "the next hour").to.equal(59);
  });
});
