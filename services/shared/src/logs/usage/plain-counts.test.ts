import { expect } from "chai";
import { readCounts, writeCounts } from "./plain-counts.ts";

describe("counts as text", () => {
  const written: [what: string, counts: [string, number][]][] = [
    ["no counts", []],
    ["one", [["key_1", 1]]],
    [
      "names that an object would sort or drop",
      [
        ["b", 2],
        ["10", 1],
        ["9", 0],
        ["__proto__", 40],
        ["constructor", 7],
      ],
    ],
    [
      "names with spaces and punctuation",
      [
        ["a key", 3],
        ["{},:[]'", 4],
      ],
    ],
    ["the largest count that is read this way", [["k", 999_999_999_999_999]]],
  ];
  for (const [what, entries] of written)
    it(`are JSON, and round-trip: ${what}`, () => {
      const text = `{${writeCounts(new Map(entries))}}`;
      expect(new Map(Object.entries(JSON.parse(text)))).to.deep.equal(new Map(entries));
      expect([...(readCounts(Buffer.from(`{${text}}`), 2) ?? [])]).to.deep.equal(entries);
    });

  it("are JSON with any names", () => {
    const names = ['"', "\\", "\n", "é", "\u2028", "\ud800", ""];
    const text = `{${writeCounts(new Map(names.map((name, index) => [name, index])))}}`;
    expect(Object.keys(JSON.parse(text))).to.deep.equal(names);
  });

  // JSON.parse handles the rest, and reports errors.
  const others = [
    ...['"k":1}', '"k":1}} ', '"k":1', '"k":', '"k"', '"k', '"', "", "1", '"k":1,}}', ',"k":1}}', '"k":1,,"l":2}}'],
    ...['"k" :1}}', '"k": 1}}', ' "k":1}}', '"k":1, "l":2}}', '"k":1 }}', '"k":1}},', '"k":1]}'],
    ...['"k":-1}}', '"k":+1}}', '"k":1.5}}', '"k":1e3}}', '"k":01}}', '"k":}}', '"k":"1"}}', '"k":null}}', '"k":{}}}'],
    ...['"k":1000000000000000}}', '"\\u006b":1}}', '"a\\"b":1}}', '"\u00e9":1}}', '"a\nb":1}}', '"a\u007fb":1}}'],
  ];
  for (const text of others)
    it(`are not read from ${JSON.stringify(text)}`, () => expect(readCounts(Buffer.from(text), 0)).to.equal(null));
});
