import { expect } from "chai";
import type { Attack } from "./attacks/attack.ts";
import type { Observed, Phase } from "./good-client/phase.ts";
import { problemsOf } from "./judge.ts";

const GOOD: Observed = { statuses: { 200: 100 }, errors: {}, goodAfterMs: 20 };
const phase = (changed: Partial<Phase> = {}): Phase => {
  return { seconds: 2, p99Ms: 0, unanswered: 0, api: GOOD, docs: GOOD, ...changed };
};
const attack = (changed: Partial<Attack> = {}): Attack => {
  return { name: "a", about: "a", run: async () => ({ tally: {}, problems: [] }), ...changed };
};
const judged = (met: { during?: Phase; after?: Phase; logLines?: number; seconds?: number }, of = attack()) => {
  const { during = phase(), after = phase(), logLines = 0, seconds = 120 } = met;
  return problemsOf(of, { seconds, during, after, logLines });
};

describe("a target under attack must", () => {
  it("respond with only 200s, and recover soon", () => {
    expect(judged({})).to.deep.equal([]);
  });

  it("give the well-behaved client no 500 and lose none of its connections, unless the attack allows it", () => {
    const during = phase({ api: { ...GOOD, statuses: { 200: 9, 500: 2 }, errors: { ECONNRESET: 1 } } });
    expect(judged({ during })).to.have.length(2);
    expect(judged({ during }, attack({ allowedStatuses: [500] }))).to.have.length(1);
  });

  it("serve docs, unless they are attacked", () => {
    const during = phase({ docs: { ...GOOD, statuses: { 503: 5 } } });
    expect(judged({ during })).to.have.length(1);
    expect(judged({ during }, attack({ docsMayFail: true }))).to.deep.equal([]);
  });

  it("respond to every request", () => {
    expect(judged({ during: phase({ unanswered: 3 }) })).to.have.length(1);
  });

  it("recover within 10 s, API and docs", () => {
    for (const goodAfterMs of [null, 10_001]) {
      expect(judged({ after: phase({ api: { ...GOOD, goodAfterMs } }) })).to.have.length(1);
      expect(judged({ after: phase({ docs: { ...GOOD, goodAfterMs } }) })).to.have.length(1);
    }
  });

  it("keep its log within a budget, averaged over at least 10 s", () => {
    const of = attack({ maxLogLinesPerSecond: 10 });
    expect(judged({ logLines: 1_200 }, of)).to.deep.equal([]);
    expect(judged({ logLines: 1_201 }, of)).to.have.length(1);
    expect(judged({ logLines: 100, seconds: 1 }, of)).to.deep.equal([]);
    expect(judged({ logLines: 101, seconds: 1 }, of)).to.have.length(1);
    expect(judged({ logLines: 1_000_000 })).to.deep.equal([]);
  });
});
