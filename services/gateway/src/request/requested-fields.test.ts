import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText, UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { MILTON } from "@geolookup/shared/domain/testing/places.ts";
import { expect } from "chai";
import { answerText, requestedFields } from "./requested-fields.ts";

const IP = "192.0.2.7";

describe("answerText", () => {
  const known = recordText(MILTON);
  const answer = (...args: Parameters<typeof answerText>) => Object.entries(JSON.parse(answerText(...args)));

  it("gives the paid plan every field in the contract's order", () => {
    expect(answer(IP, known, "paid", null)).to.deep.equal(Object.entries({ ip: IP, ...MILTON }));
  });
  it("gives the free plan its three fields: the others are absent, not null", () => {
    const free = { country: "US", countryName: "United States", continent: "NA" };
    expect(answer(IP, known, "free", null)).to.deep.equal(Object.entries(free));
  });
  it("narrows to the requested names in the contract's order, never widens", () => {
    const requested = new Set(["city", "country", "ip", "nonsense", "__proto__", "partial"]);
    expect(answer(IP, known, "paid", requested)).to.deep.equal([
      ["ip", IP],
      ["country", "US"],
      ["city", "Milton"],
    ]);
    expect(answer(IP, known, "free", requested)).to.deep.equal([["country", "US"]]);
    expect(answer(IP, known, "free", new Set(["nonsense"]))).to.deep.equal([]);
  });
  it("says partial before `fields`, and never trims it", () => {
    const noCity = recordText({ ...MILTON, city: null });
    const partial = ["partial", true];
    expect(answer(IP, noCity, "paid", null).at(-1)).to.deep.equal(partial);
    expect(answer(IP, noCity, "paid", new Set(["country"]))).to.deep.equal([["country", "US"], partial]);
    expect(answer(IP, noCity, "paid", new Set(["nonsense"]))).to.deep.equal([partial]);
    expect(answer(IP, noCity, "free", null)).to.not.deep.include(partial);
  });
  it("answers an unknown place with nulls", () => {
    const paid = { ip: IP, ...UNKNOWN_PLACE, partial: true };
    expect(answer(IP, UNKNOWN_TEXT, "paid", null)).to.deep.equal(Object.entries(paid));
    const free = { country: null, countryName: null, continent: null, partial: true };
    expect(answer(IP, UNKNOWN_TEXT, "free", null)).to.deep.equal(Object.entries(free));
  });
});

describe("requestedFields", () => {
  const cases: readonly (readonly [query: string, names: string[] | null])[] = [
    ["", null],
    ["fields=", null],
    ["fields=,%20,", null],
    ["fields=city", ["city"]],
    ["fields=city,%20country%20,", ["city", "country"]],
    ["fields=city&fields=asn,ip", ["city", "asn", "ip"]],
    ["fields=&fields=asn", ["asn"]],
    ["fields=City", ["City"]],
  ];
  for (const [query, names] of cases) {
    it(`?${query}`, () => {
      const requested = requestedFields(new URLSearchParams(query));
      expect(requested && [...requested]).to.deep.equal(names);
    });
  }
});
