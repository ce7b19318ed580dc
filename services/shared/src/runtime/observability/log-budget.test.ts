import { expect } from "chai";
import { pino } from "pino";
import type { Logger } from "./log.ts";
import { budgeted, budgetedLine, flushLogBudgets } from "./log-budget.ts";

interface Line {
  msg: string;
  level: number;
  repeated?: number;
  kinds?: Record<string, number>;
  number?: number;
}

describe("log budgets", () => {
  let lines: Line[];
  let log: Logger;
  let nowMs: number;
  beforeEach(() => {
    lines = [];
    nowMs = 5;
    log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
  });
  const counted = (message: string) =>
    lines.reduce((sum, { msg, repeated = 1 }) => sum + (msg.startsWith(message) ? repeated : 0), 0);

  it("writes a few immediately, then one per interval; lines and summaries together account for every call", () => {
    const line = budgetedLine(log, "info", "request", { burst: 3, refillMs: 500 }, () => nowMs);
    for (let number = 0; number < 20_000; number += 1) {
      nowMs = number / 2;
      line({ number }, number % 4 === 0 ? "404 not_found" : "401 unknown_key");
    }
    const single = lines.filter(({ msg }) => msg === "request");
    expect(single).to.have.length(3 + 19);
    for (let from = 0; from < 10_000; from += 100) {
      const within = single.filter(({ number = 0 }) => number / 2 >= from && number / 2 < from + 1_000);
      expect(within.length).to.be.at.most(5);
    }
    flushLogBudgets();
    const sum = lines.at(-1);
    expect(sum).to.deep.include({ msg: "request (repeated)", level: 30, repeated: 20_000 - single.length });
    expect(Object.values(sum?.kinds ?? {}).reduce((a, b) => a + b)).to.equal(sum?.repeated);
    expect(counted("request")).to.equal(20_000);
    flushLogBudgets();
    expect(lines).to.have.length(single.length + 1);
  });

  it("limits the number of kinds in a summary, regardless of their names", () => {
    const line = budgetedLine(log, "info", "request", { burst: 1, refillMs: 1_000 }, () => nowMs);
    for (const kind of ["first", "__proto__", "constructor"]) line({}, kind);
    for (let kind = 0; kind < 1_000; kind += 1) line({}, `kind-${kind}`);
    flushLogBudgets();
    const { kinds = {}, repeated } = lines.at(-1) ?? {};
    expect(Object.keys(kinds).length).to.be.within(50, 51);
    expect(kinds.constructor).to.equal(1);
    expect(repeated).to.equal(1_002);
  });

  it("each message of each log has its own budget; the first line is complete", () => {
    const other = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
    for (let number = 0; number < 10; number += 1) {
      budgeted(log).error({ number }, "one failure");
      budgeted(log).warn({ number }, "another failure");
      budgeted(other).error({ number }, "one failure");
    }
    expect(lines.map(({ msg, number }) => [msg, number])).to.deep.equal([
      ["one failure", 0],
      ["another failure", 0],
      ["one failure", 0],
    ]);
    flushLogBudgets();
    expect([counted("one failure"), counted("another failure")]).to.deep.equal([20, 10]);
  });
});
