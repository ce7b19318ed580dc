import { expect } from "chai";
import { createErrorLog } from "./error-log.ts";
import { GeolookupError, type GeolookupErrorCode } from "./geolookup-error.ts";

describe("the log of failed lookups", () => {
  const { warn } = console;
  afterEach(() => {
    console.warn = warn;
  });

  it("contains each code once a minute, except connections without an address; onError gets every failure", () => {
    let now = 0;
    const lines: string[] = [];
    console.warn = (line: string) => lines.push(line);
    const codes: string[] = [];
    const report = createErrorLog(
      ({ code }) => codes.push(code),
      () => now,
    );
    const FAILURES: readonly (readonly [GeolookupErrorCode, number?])[] = [
      ["revoked_key", 401],
      ["origin_not_allowed", 403],
      ["rate_limited", 429],
      ["not_forwarded", 200],
      ["internal_error", 500],
      ["timeout"],
      ["network"],
      ["unreadable", 404],
      ["no_address"],
    ];
    const failEach = () => {
      for (const [code, status] of FAILURES)
        report(new GeolookupError(code, "Change it.", status === undefined ? {} : { status }));
      return lines.splice(0);
    };
    const logged = FAILURES.slice(0, -1).map(([code]) => `geolookup: ${code}: Change it.`);
    expect(failEach()).to.deep.equal(logged);
    now = 59_999;
    expect(failEach()).to.deep.equal([]);
    now = 60_000;
    expect(failEach()).to.deep.equal(logged);
    expect(codes).to.have.length(3 * FAILURES.length);
  });
});
