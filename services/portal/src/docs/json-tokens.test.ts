import { expect } from "chai";
import { jsonText, jsonTokens } from "./assets/json-tokens.js";

describe("jsonTokens", () => {
  it("distinguishes names, strings, numbers and words", () => {
    const tokens = jsonTokens('{"a": "b", "c": -1.5e3, "d": [null, true]}').filter(({ kind }) => kind !== "mark");
    expect(tokens.map(({ kind, text }) => `${kind} ${text}`)).to.deep.equal([
      ...['name "a"', 'text "b"', 'name "c"', "number -1.5e3", 'name "d"', "word null", "word true"],
    ]);
  });

  for (const value of [{}, { a: 'quote " and \\', b: "null 12 {" }, { "a:b": [1, [false]] }])
    it(`preserves ${JSON.stringify(value)}`, () => {
      const json = JSON.stringify(value, null, 2);
      expect(
        jsonTokens(json)
          .map(({ text }) => text)
          .join(""),
      ).to.equal(json);
    });
});

describe("jsonText", () => {
  it("keeps a list on one line", () =>
    expect(jsonText({ languages: ["de", "fr"], asn: 1 })).to.equal('{\n  "languages": ["de", "fr"],\n  "asn": 1\n}'));
});
