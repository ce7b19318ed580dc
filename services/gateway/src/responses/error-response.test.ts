import type { Problem } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { errorResponse } from "./error-response.ts";

const DOCS_URL = "https://docs.example.com";
const NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 0, 500);
const NOW_SECONDS = NOW_MS / 1000;
const LIMITED = { code: "rate_limited" } as const;

describe("errorResponse", () => {
  const KEYED = { limit: 60, plan: "free", display: "geo_pk_…abcd" };
  const reached: Readonly<Record<string, (resetUnixSeconds: number) => Problem>> = {
    keyless_hourly: (reset) => ({ ...LIMITED, exceeded: "keyless_hourly", limit: 60, resetUnixSeconds: reset }),
    caller_hourly: (reset) => ({ ...LIMITED, ...KEYED, exceeded: "caller_hourly", resetUnixSeconds: reset }),
    per_second: (reset) => ({ ...LIMITED, ...KEYED, exceeded: "per_second", burst: 60, resetUnixSeconds: reset }),
    quota_exceeded: (reset) => ({ ...KEYED, code: "quota_exceeded", resetUnixSeconds: reset }),
  };
  const headersOf = (what: string, resetUnixSeconds: number) => {
    const problem = reached[what]?.(resetUnixSeconds);
    if (!problem) throw new Error(`no problem ${what}`);
    return errorResponse(problem, DOCS_URL, NOW_MS).headers;
  };
  const retryAfter = (what: string, resetUnixSeconds: number) => headersOf(what, resetUnixSeconds)["Retry-After"];

  for (const what of Object.keys(reached))
    it(`reports limit, zero remaining and reset of ${what}`, () =>
      expect(headersOf(what, 1_767_268_801)).to.deep.include({
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "1767268801",
      }));
  for (const what of ["keyless_hourly", "caller_hourly"]) {
    it(`Retry-After is at most an hour, although Reset is rounded up: ${what}`, () =>
      expect(retryAfter(what, Math.ceil(NOW_SECONDS + 3_600))).to.equal("3600"));
    it(`Retry-After is rounded up to seconds: ${what}`, () =>
      expect(retryAfter(what, NOW_SECONDS + 9.5)).to.equal("10"));
    it(`Retry-After is at least one second: ${what}`, () => expect(retryAfter(what, NOW_SECONDS - 5)).to.equal("1"));
  }
  it("Retry-After is one second for the limit per second, although Reset is rounded up", () => {
    for (const seconds of [-5, 0.5, 1.5]) expect(retryAfter("per_second", NOW_SECONDS + seconds)).to.equal("1");
  });
  it("Retry-After of a quota is the time until the next month", () =>
    expect(retryAfter("quota_exceeded", NOW_SECONDS + 86_400)).to.equal("86400"));
  it("has the length of its body in bytes", () => {
    const problem = { code: "not_found", method: "GET", path: "/nöwhere" } as const;
    const { status, headers, body } = errorResponse(problem, DOCS_URL, NOW_MS);
    expect([status, headers["Content-Length"]]).to.deep.equal([404, String(Buffer.byteLength(body))]);
  });
});
