import { expect } from "chai";
import { countResponses } from "./gateway-responses.ts";

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
