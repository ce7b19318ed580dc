import { expect } from "chai";
import { fullBucket, releaseReserved, reserveToken, type TokenBucket, takeReserved } from "./key-rates.ts";

const TEN = { perSecond: 10, burst: 10 };
const START_MS = 1_767_229_200_123;

/** An action on a bucket at a time after the start (ms): complete requests, or one step of a request. */
type Step = readonly [atMs: number, what: "ask" | "reserve" | "take" | "release", times?: number];

describe("a token bucket", () => {
  const cases: { name: string; rate: typeof TEN; steps: Step[]; admitted: number[]; waitMs: number }[] = [
    {
      name: "fills at its rate",
      rate: TEN,
      steps: [
        [0, "ask", 15],
        [99, "ask"],
        [100, "ask"],
        [100, "ask"],
        [1100, "ask", 15],
      ],
      admitted: [10, 0, 1, 0, 10],
      waitMs: 100,
    },
    {
      name: "never holds more than its burst",
      rate: { perSecond: 2, burst: 5 },
      steps: [
        [0, "ask", 9],
        [1_000, "ask", 9],
        [3_600_000, "ask", 9],
      ],
      admitted: [5, 2, 5],
      waitMs: 500,
    },
    {
      name: "returns the time until the next token, rounded up to a millisecond",
      rate: { perSecond: 3, burst: 1 },
      steps: [
        [0, "ask"],
        [100, "ask"],
        [333, "ask"],
        [334, "ask", 2],
      ],
      admitted: [1, 0, 0, 1],
      waitMs: 334,
    },
    {
      name: "doesn't give a reserved token to another request, and returns it when released",
      rate: { perSecond: 1, burst: 2 },
      steps: [
        [0, "reserve"],
        [0, "ask", 3],
        [0, "release"],
        [0, "ask", 3],
      ],
      admitted: [1, 1, 0, 1],
      waitMs: 1000,
    },
    {
      name: "doesn't exceed its burst when a token is released after it was full again",
      rate: { perSecond: 1, burst: 2 },
      steps: [
        [0, "reserve"],
        [60_000, "release"],
        [60_000, "ask", 5],
      ],
      admitted: [1, 0, 2],
      waitMs: 1000,
    },
    {
      name: "counts a reserved token when it is taken",
      rate: { perSecond: 1, burst: 2 },
      steps: [
        [0, "reserve"],
        [60_000, "take"],
        [60_000, "ask", 5],
      ],
      admitted: [1, 0, 1],
      waitMs: 1000,
    },
    {
      name: "stands still while the clock is set back, and fills from there",
      rate: TEN,
      steps: [
        [10_000, "ask", 15],
        [0, "ask", 15],
        [100, "ask", 15],
      ],
      admitted: [10, 0, 1],
      waitMs: 100,
    },
  ];
  for (const { name, rate, steps, admitted, waitMs } of cases)
    it(name, () => {
      let bucket = fullBucket(rate, START_MS);
      let lastWaitMs = 0;
      const reserve = (nowMs: number): boolean => {
        const reserved = reserveToken(bucket, rate, nowMs);
        bucket = reserved.bucket;
        lastWaitMs = reserved.waitMs;
        return reserved.waitMs === 0;
      };
      const found = steps.map(([atMs, what, times = 1]) => {
        const nowMs = START_MS + atMs;
        if (what === "reserve") return Number(reserve(nowMs));
        if (what === "take") bucket = takeReserved(bucket, rate, nowMs);
        if (what === "release") bucket = releaseReserved(bucket);
        let count = 0;
        if (what === "ask")
          for (let index = 0; index < times; index += 1)
            if (reserve(nowMs)) {
              bucket = takeReserved(bucket, rate, nowMs);
              count += 1;
            }
        return count;
      });
      expect(found).to.deep.equal(admitted);
      expect(lastWaitMs).to.equal(waitMs);
    });

  it("applies a changed plan immediately, and keeps what was used", () => {
    let bucket: TokenBucket = fullBucket(TEN, START_MS);
    const ask = (rate: typeof TEN, atMs: number) => {
      let count = 0;
      for (;;) {
        const reserved = reserveToken(bucket, rate, START_MS + atMs);
        if (reserved.waitMs > 0) return count;
        bucket = takeReserved(reserved.bucket, rate, START_MS + atMs);
        count += 1;
      }
    };
    const small = { perSecond: 1, burst: 2 };
    const large = { perSecond: 100, burst: 200 };
    expect(ask(small, 0)).to.equal(2);
    expect(ask(large, 0), "a larger burst adds no tokens").to.equal(0);
    expect(ask(large, 100)).to.equal(10);
    expect(ask(small, 60_000)).to.equal(2);
  });

  it("never admits more than burst + rate × elapsed in any span, however requests are held and refused", () => {
    // A linear congruential generator, so that failures are reproducible.
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let run = 0; run < 200; run += 1) {
      const rate = { perSecond: 1 + random(50), burst: 1 + random(20) };
      let bucket = fullBucket(rate, START_MS);
      let nowMs = START_MS;
      let held = 0;
      const admittedAtMs: number[] = [];
      for (let step = 0; step < 300; step += 1) {
        nowMs += random(3) === 0 ? random(400) : 0;
        const what = random(4);
        if (what < 2) {
          const reserved = reserveToken(bucket, rate, nowMs);
          bucket = reserved.bucket;
          if (reserved.waitMs === 0) held += 1;
        } else if (held > 0) {
          held -= 1;
          if (what === 2) {
            bucket = takeReserved(bucket, rate, nowMs);
            admittedAtMs.push(nowMs);
          } else bucket = releaseReserved(bucket);
        }
      }
      expect(admittedAtMs).to.not.be.empty;
      let mostBeyond = Number.NEGATIVE_INFINITY;
      for (const [first, fromMs] of admittedAtMs.entries())
        for (const [index, untilMs] of admittedAtMs.slice(first).entries()) {
          const allowed = rate.burst + ((untilMs - fromMs) * rate.perSecond) / 1000;
          mostBeyond = Math.max(mostBeyond, index + 1 - allowed);
        }
      expect(mostBeyond, `run ${run}`).to.be.at.most(0);
    }
  });
});
