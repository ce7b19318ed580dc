import { expect } from "chai";
import { errorAnswer } from "./answers.ts";

const DOCS_URL = "https://docs.example.com";
const NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 0, 500);
const NOW_SECONDS = NOW_MS / 1000;

describe("errorAnswer", () => {
  const retryAfter = (code: "rate_limited" | "quota_exceeded", resetUnixSeconds: number) => {
    const problem = { code, limit: 60, resetUnixSeconds, plan: "free", display: "geo_pk_…abcd" } as const;
    return errorAnswer(problem, DOCS_URL, NOW_MS).headers["Retry-After"];
  };
  it("never says to wait for longer than the hour, though Reset is rounded up", () =>
    expect(retryAfter("rate_limited", Math.ceil(NOW_SECONDS + 3_600))).to.equal("3600"));
  it("says the seconds to the reset, rounded up", () =>
    expect(retryAfter("rate_limited", NOW_SECONDS + 9.5)).to.equal("10"));
  it("says at least one second", () => expect(retryAfter("rate_limited", NOW_SECONDS - 5)).to.equal("1"));
  it("says to wait for the next month", () =>
    expect(retryAfter("quota_exceeded", NOW_SECONDS + 86_400)).to.equal("86400"));
  it("tells the length of its body in bytes", () => {
    const problem = { code: "not_found", method: "GET", path: "/nöwhere" } as const;
    const { status, headers, body } = errorAnswer(problem, DOCS_URL, NOW_MS);
    expect([status, headers["Content-Length"]]).to.deep.equal([404, String(Buffer.byteLength(body))]);
  });
});
