import { flushLogBudgets } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { expect } from "chai";
import { pino } from "pino";
import type { Exchange } from "./exchange.ts";
import { type AccessLog, createRequestLog } from "./request-log.ts";

const REQUESTS = 5_000;

describe("the request log", () => {
  const start = (setting: AccessLog) => {
    const lines: Record<string, unknown>[] = [];
    const log = createRequestLog(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }), setting);
    const finish = (statusCode: number, code: string | null) =>
      log(
        { req: { method: "GET" }, res: { statusCode }, route: "/v1/geo", code, keyId: null, plan: null } as Exchange,
        1,
      );
    return { lines, finish };
  };

  it("writes a few lines of a flood, and counts the rest by status and code", () => {
    const { lines, finish } = start("errors");
    for (let request = 0; request < REQUESTS; request += 1) finish(401, request % 2 ? "unknown_key" : "bad_signature");
    flushLogBudgets();
    const [sum] = lines.splice(-1);
    expect(lines.length).to.be.within(3, 10);
    expect(sum?.repeated).to.equal(REQUESTS - lines.length);
    expect(Object.keys(sum?.kinds ?? {})).to.have.members(["401 unknown_key", "401 bad_signature"]);
  });

  it("shows the service's own failures, however many callers' errors there are", () => {
    const { lines, finish } = start("errors");
    for (let request = 0; request < REQUESTS; request += 1) finish(404, "not_found");
    finish(500, "internal_error");
    expect(lines.at(-1)).to.include({ msg: "request", status: 500, code: "internal_error" });
    flushLogBudgets();
  });

  it("writes no lines about successes; with `all` it writes every line, with `off` none", () => {
    const errors = start("errors");
    errors.finish(200, null);
    expect(errors.lines).to.deep.equal([]);
    const all = start("all");
    for (let request = 0; request < REQUESTS; request += 1) all.finish(404, "not_found");
    all.finish(200, null);
    expect(all.lines).to.have.length(REQUESTS + 1);
    const off = start("off");
    off.finish(500, "internal_error");
    flushLogBudgets();
    expect(off.lines).to.deep.equal([]);
  });
});
