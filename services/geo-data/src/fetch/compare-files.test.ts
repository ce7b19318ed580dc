import type { Database } from "@geolookup/geo/databases/database.ts";
import { EMPTY_FINDING } from "@geolookup/geo/schema/finding.ts";
import { expect } from "chai";
import { type ComparedFile, implausibility } from "./compare-files.ts";

const JULY = Date.UTC(2026, 6, 1) / 1_000;
const ADDRESSES = Array.from({ length: 1_000 }, (_, index) => index);

/** What is different in a file: how many of its first 1,000 addresses have another country, another network, or no data. */
interface Content {
  databaseType?: string;
  buildUnixSeconds?: number;
  size?: number;
  otherCountries?: number;
  otherNetworks?: number;
  unknown?: number;
}

function fileOf(content: Content = {}): ComparedFile {
  const { databaseType = "Test", buildUnixSeconds = JULY, size = 10_000 } = content;
  const { otherCountries = 0, otherNetworks = 0, unknown = 0 } = content;
  const find = (address: number) => {
    const country = address < otherCountries ? "FR" : "NZ";
    const asn = address < otherNetworks ? 64_501 : 64_500;
    return address < unknown ? null : { finding: { ...EMPTY_FINDING, country, asn } };
  };
  const info = { name: "test.mmdb", databaseType, buildUnixSeconds };
  return { database: { info, hasIpv6: true, find } as unknown as Database, size };
}

describe("a new database file compared with the previous one", () => {
  const cases: [what: string, content: Content, expected: RegExp | null, before?: Content][] = [
    ["the same", {}, null],
    ["newer", { buildUnixSeconds: JULY + 86_400 }, null],
    ["a day older", { buildUnixSeconds: JULY - 86_400 }, /built 2026-06-30, before the previous one \(2026-07-01\)/],
    ["undated", { buildUnixSeconds: 0 }, null],
    ["half the size", { size: 5_000 }, null],
    ["less than half the size", { size: 4_999 }, /has 4999 bytes, the previous one 10000/],
    ["twice the size", { size: 20_000 }, null],
    ["more than twice the size", { size: 20_001 }, /has 20001 bytes/],
    ["of another type", { databaseType: "Other" }, /of the type "Other", the previous one of "Test"/],
    ["with a fifth of other countries", { otherCountries: 200 }, null],
    ["with more other countries", { otherCountries: 201 }, /has the countries .* only 799 of 1000 sample addresses/],
    ["with more other networks", { otherNetworks: 201 }, /has the networks .* only 799 of 1000 sample addresses/],
    ["that lacks many addresses", { unknown: 300 }, /only 700 of 1000 sample addresses/],
    ["that knows addresses which were unknown", {}, null, { unknown: 300 }],
    ["different where too little was known to compare", { otherCountries: 1_000 }, null, { unknown: 901 }],
  ];
  for (const [what, content, expected, before] of cases)
    it(`${expected === null ? "accepts" : "refuses"} one ${what}`, () => {
      const problem = implausibility(fileOf(before), fileOf(content), ADDRESSES);
      if (expected === null) expect(problem).to.equal(null);
      else expect(problem).to.match(expected);
    });
});
