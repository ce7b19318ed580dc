import { expect } from "chai";
import { collectPairs, durationSeconds, expiryOf, timeOf } from "./values.ts";

const NOW = Date.UTC(2026, 10, 29, 12);

describe("values of commands", () => {
  for (const [text, seconds] of [
    ["30s", 30],
    ["5m", 300],
    ["24h", 86_400],
    ["30d", 2_592_000],
    ["0", 0],
    ...["", "24", "h", "-1h", "1.5h", "1w", "24 h", "99999999d"].map((invalid) => [invalid, null] as const),
  ] as const)
    it(`reads the duration ${JSON.stringify(text)}`, () => expect(durationSeconds(text)).to.equal(seconds));

  for (const [text, time] of [
    ["2027-01-01", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2027-01-01T10:00:00Z", "2027-01-01T10:00:00.000Z"],
    ["2027-01-01T10:00:00+02:00", "2027-01-01T08:00:00.000Z"],
    ...["", "2027-02-29", "2027-13-01", "2027-1-1", "01.02.2027", "2027-01-01T10:00:00", "tomorrow"].map(
      (invalid) => [invalid, null] as const,
    ),
  ] as const)
    it(`reads the time ${JSON.stringify(text)}`, () => expect(timeOf(text)).to.equal(time));

  it("reads an expiry: never, after a duration, or at a time", () => {
    expect(expiryOf("never", NOW)).to.equal("");
    expect(expiryOf("30d", NOW)).to.equal("2026-12-29T12:00:00.000Z");
    expect(expiryOf("2027-01-01", NOW)).to.equal("2027-01-01T00:00:00.000Z");
    expect(expiryOf("soon", NOW)).to.equal(null);
  });

  it("collects pairs; a value may contain =, and be empty", () => {
    expect(collectPairs("b=", collectPairs("a=1=2"))).to.deep.equal({ a: "1=2", b: "" });
    expect(() => collectPairs("=x")).to.throw("It must be name=value");
  });
});
