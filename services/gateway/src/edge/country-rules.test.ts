import { expect } from "chai";
import { parsePlaceList, refusalOf } from "./country-rules.ts";

const GERMANY = { country: "DE", continent: "EU", asn: 64500 };
const NOWHERE = { country: null, continent: null, asn: null };

describe("country rules", () => {
  for (const [title, allow, deny, place, expected] of [
    ["a listed country is allowed", "de, FR", null, GERMANY, null],
    ["others are refused", "FR", null, GERMANY, "rule"],
    ["a continent counts", "continent:EU", null, GERMANY, null],
    ["a network counts", "AS64500", null, GERMANY, null],
    ["a denied country is refused", null, "DE", GERMANY, "rule"],
    ["others are allowed", null, "FR", GERMANY, null],
    ["deny takes precedence over allow", "DE", "AS64500", GERMANY, "rule"],
    ["AF is Afghanistan and not Africa", null, "AF", { ...GERMANY, country: "KE", continent: "AF" }, null],
    ["an unknown place isn't known to be listed", "DE", null, NOWHERE, "unknown"],
    ["an unknown place isn't known not to be denied", null, "DE", NOWHERE, "unknown"],
    ["what no rule uses may be unknown", "DE", null, { ...GERMANY, asn: null }, null],
    ["an unknown network may be denied", "DE", "AS1", { ...GERMANY, asn: null }, "unknown"],
    ["an unknown network may be allowed", "FR,AS1", null, { ...GERMANY, asn: null }, "unknown"],
    ["a denied country is refused, whatever its network", null, "DE,AS1", { ...GERMANY, asn: null }, "rule"],
  ] as const)
    it(title, () => {
      const lists = { allow: allow && parsePlaceList(allow), deny: deny && parsePlaceList(deny) };
      expect(refusalOf({ ...lists, unknown: "deny" }, place)).to.equal(expected);
      // EDGE_UNKNOWN=allow changes only what isn't known.
      expect(refusalOf({ ...lists, unknown: "allow" }, place)).to.equal(expected === "unknown" ? null : expected);
    });

  for (const [setting, message] of [
    ["DE,UK", '"UK" isn\'t a current country code; use "GB"'],
    ["EU", "use continent:EU"],
    ["XX", "EDGE_UNKNOWN decides about unknown locations"],
    ["DE,,FR", '"" isn\'t a country code, continent or autonomous system'],
    ["Germany", '"GERMANY" isn\'t a country code'],
    ["QQ", '"QQ" isn\'t a country code'],
    ["continent:XY", '"continent:XY" isn\'t a continent'],
    ["AS0", '"AS0" isn\'t an autonomous system'],
    ["AS4294967296", '"AS4294967296" isn\'t an autonomous system'],
  ] as const)
    it(`${setting} is refused`, () => {
      expect(() => parsePlaceList(setting)).to.throw(message);
    });

  it("accept every country that has a code", () => {
    const list = "AS,AF,NA,SA,GB,XK,AX,TW,PS,US";
    expect(parsePlaceList(list).countries).to.have.length(10);
  });
});
