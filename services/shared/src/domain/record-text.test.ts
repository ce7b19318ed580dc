import { expect } from "chai";
import { FIELDS_OF, type Place, UNKNOWN_PLACE } from "./record.ts";
import { joinText, networkText, placeText, recordText, UNKNOWN_TEXT } from "./record-text.ts";
import { MILTON } from "./testing/places.ts";

/** The members, in response order. */
const read = (members: string) => Object.entries(JSON.parse(`{${members}}`));

describe("recordText", () => {
  const cases: Record<string, Place> = {
    "is fully known": MILTON,
    "is unknown": UNKNOWN_PLACE,
    "has names beyond ASCII": { ...MILTON, countryName: "Curaçao", city: "Reykjavík 東京 😀", region: "Κρήτη" },
    "has what JSON escapes": { ...MILTON, city: 'In"k\\po\nrt\u2028', asOrganization: '","ip":"' },
    "lacks a region": { ...MILTON, region: null },
    "lacks its continent": { ...MILTON, continent: null },
  };
  for (const [name, place] of Object.entries(cases))
    it(`has every field of a place that ${name}, in the contract's order, with the free ones first`, () => {
      const text = recordText(place);
      const granted = (names: readonly string[]) =>
        names.filter((name) => name !== "ip").map((name) => [name, place[name as keyof Place]]);
      expect(read(text.members)).to.deep.equal(granted(FIELDS_OF.paid));
      expect(read(text.free)).to.deep.equal(granted(FIELDS_OF.free));
    });

  it("starts with exactly the contract's free fields", () => {
    const { members, free } = recordText(MILTON);
    expect(members.startsWith(free)).to.equal(true);
    expect(Object.keys(JSON.parse(`{${free}}`))).to.deep.equal(["country", "countryName", "continent"]);
  });

  it("reports which field sets are incomplete", () => {
    const partial = ({ partialFree, partialPaid }: typeof UNKNOWN_TEXT) => [partialFree, partialPaid];
    expect(partial(recordText(MILTON))).to.deep.equal([false, false]);
    expect(partial(recordText({ ...MILTON, city: null }))).to.deep.equal([false, true]);
    expect(partial(recordText({ ...MILTON, country: null }))).to.deep.equal([true, true]);
    expect(partial(UNKNOWN_TEXT)).to.deep.equal([true, true]);
  });

  it("knows its length in UTF-8", () => {
    const place = { ...MILTON, countryName: "Curaçao", city: "東京 😀", asOrganization: "東京" };
    for (const { members, memberBytes, free, freeBytes } of [recordText(place), recordText(MILTON), UNKNOWN_TEXT])
      expect([memberBytes, freeBytes]).to.deep.equal([Buffer.byteLength(members), Buffer.byteLength(free)]);
  });

  it("can use the network of another record", () => {
    const network = { asn: 64_501, asOrganization: "Other" };
    const joined = joinText(placeText(MILTON), networkText(network));
    expect(joined).to.deep.equal(recordText({ ...MILTON, ...network }));
  });
});
