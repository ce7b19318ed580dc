import { expect } from "chai";
import { addKeyResponses, countResponses } from "./gateway-responses.ts";

describe("countResponses", () => {
  it("adds up error codes of all gateways, most frequent first, and keyless lookups", () => {
    const line = (status: number, code: string, plan: string, count: number, route = "/v1/geo") =>
      `geolookup_requests_total{route="${route}",status="${status}",code="${code}",plan="${plan}"} ${count}`;
    const one = [
      line(200, "ok", "none", 5),
      line(200, "ok", "none", 2, "/"),
      line(200, "ok", "none", 275, "other"),
      line(204, "ok", "none", 7, "other"),
      line(200, "ok", "free", 90),
      line(401, "unknown_key", "none", 2),
    ];
    const other = [
      line(429, "rate_limited", "none", 4),
      line(401, "unknown_key", "none", 1),
      line(404, "not_found", "none", 0),
    ];
    expect(countResponses([one.join("\n"), other.join("\n")])).to.deep.equal({
      keyless: 7,
      errors: [
        { code: "rate_limited", count: 4 },
        { code: "unknown_key", count: 3 },
      ],
    });
  });
});

describe("addKeyResponses", () => {
  it("adds up the hours of all gateways, complete since the last of them started", () => {
    const { sinceMs, hours } = addKeyResponses([
      { sinceMs: 5, hours: [{ startMs: 10, counts: { ok: 1, rate_limited: 2 } }] },
      {
        sinceMs: 7,
        hours: [
          { startMs: 10, counts: { ok: 3 } },
          { startMs: 20, counts: { quota_exceeded: 4 } },
        ],
      },
    ]);
    expect(sinceMs).to.equal(7);
    expect(Array.from(hours, ([startMs, counts]) => [startMs, Object.fromEntries(counts)])).to.deep.equal([
      [10, { ok: 4, rate_limited: 2 }],
      [20, { quota_exceeded: 4 }],
    ]);
  });
});
