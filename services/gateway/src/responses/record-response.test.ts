import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText, UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { MILTON } from "@geolookup/shared/domain/testing/places.ts";
import { expect } from "chai";
import { recordBody } from "./record-response.ts";

const IP = "192.0.2.7";

describe("recordBody", () => {
  const known = recordText(MILTON);
  const membersOf = (...args: Parameters<typeof recordBody>) => Object.entries(JSON.parse(recordBody(...args).text));

  it("has every field for the paid plan, in the contract's order", () => {
    expect(membersOf(IP, known, "paid", null)).to.deep.equal(Object.entries({ ip: IP, ...MILTON }));
  });
  it("has three fields for the free plan; the others are absent, not null", () => {
    const free = { country: "US", countryName: "United States", continent: "NA" };
    expect(membersOf(IP, known, "free", null)).to.deep.equal(Object.entries(free));
  });
  it("narrows to the requested names, in the contract's order, and never adds fields", () => {
    const requested = new Set(["city", "country", "ip", "nonsense", "__proto__", "partial"]);
    expect(membersOf(IP, known, "paid", requested)).to.deep.equal([
      ["ip", IP],
      ["country", "US"],
      ["city", "Milton"],
    ]);
    expect(membersOf(IP, known, "free", requested)).to.deep.equal([["country", "US"]]);
    expect(membersOf(IP, known, "free", new Set(["nonsense"]))).to.deep.equal([]);
  });
  it("computes partial before `fields`, and never removes it", () => {
    const noCity = recordText({ ...MILTON, city: null });
    const partial = ["partial", true];
    expect(membersOf(IP, noCity, "paid", null).at(-1)).to.deep.equal(partial);
    expect(membersOf(IP, noCity, "paid", new Set(["country"]))).to.deep.equal([["country", "US"], partial]);
    expect(membersOf(IP, noCity, "paid", new Set(["nonsense"]))).to.deep.equal([partial]);
    expect(membersOf(IP, noCity, "free", null)).to.not.deep.include(partial);
  });
  it("has only the fields of a plan's list, and is partial if one of them is unknown", () => {
    const list = ["country", "region", "city", "asn"] as const;
    const { country, region, city, asn } = MILTON;
    expect(membersOf(IP, known, list, null)).to.deep.equal(Object.entries({ country, region, city, asn }));
    expect(membersOf(IP, known, list, new Set(["asn", "ip"]))).to.deep.equal([["asn", asn]]);
    for (const [place, fields, isPartial] of [
      [{ ...MILTON, city: null }, list, true],
      [{ ...MILTON, city: null }, ["country"], false],
      [{ ...MILTON, asn: null, latitude: null }, list, false],
      [{ ...MILTON, country: "SG", region: null }, ["region"], false],
      [{ ...MILTON, region: null }, ["region"], true],
    ] as const) {
      const body = recordBody(IP, recordText(place), fields, null);
      expect(body.isPartial, body.text).to.equal(isPartial);
      expect("partial" in JSON.parse(body.text)).to.equal(isPartial);
    }
  });
  it("knows its length in UTF-8", () => {
    const beyondAscii = recordText({ ...MILTON, countryName: "Curaçao", city: "東京 😀", postalCode: null });
    for (const record of [known, beyondAscii, UNKNOWN_TEXT])
      for (const fieldSet of ["paid", "free", ["countryName", "city", "asn"]] as const)
        for (const requested of [null, new Set(["countryName", "city"])]) {
          const { text, bytes } = recordBody(IP, record, fieldSet, requested);
          expect(bytes, text).to.equal(Buffer.byteLength(text));
        }
  });
  it("has nulls for an unknown place", () => {
    const paid = { ip: IP, ...UNKNOWN_PLACE, partial: true };
    expect(membersOf(IP, UNKNOWN_TEXT, "paid", null)).to.deep.equal(Object.entries(paid));
    const free = { country: null, countryName: null, continent: null, partial: true };
    expect(membersOf(IP, UNKNOWN_TEXT, "free", null)).to.deep.equal(Object.entries(free));
  });
});
