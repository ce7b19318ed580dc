import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { findPhrases, parsePhrases, withoutFirstCells } from "./phrases.ts";

const found = (list: string, text: string) => findPhrases(parsePhrases(list), text).map((hit) => [hit.line, hit.found]);

describe("lint: phrases", () => {
  const cases: [what: string, list: string, text: string, hits: [number, string][]][] = [
    [
      "whole words in any case",
      "anew => again",
      "Anew, it starts anew.\nmanew anewer",
      [
        [1, "Anew"],
        [1, "anew"],
      ],
    ],
    ["a phrase across lines of prose", "goes on by => falls back to", "it goes\non  by itself", [[1, "goes on by"]]],
    ["a phrase across lines of a comment", "goes on by => x", "/**\n * it goes\n * on by\n */", [[2, "goes * on by"]]],
    ["a phrase across lines of a script", "goes on by => x", "# it goes on\n# by itself", [[1, "goes on # by"]]],
    ["no phrase across paragraphs", "goes on by => x", "it goes on\n\nby itself", []],
    ["regular expressions, with case", "/\\bMOST_/ => MAX_", "const MOST_KEYS = most_keys;", [[1, "MOST_"]]],
    ["regular expressions, in any case", "/verdict/i => authorization", "keyVerdict", [[1, "Verdict"]]],
    ["special characters as they are", "of x. => y", "of xy of x.1", [[1, "of x."]]],
    ["comments and empty lines are skipped", "# anew => again\n\n", "anew", []],
  ];
  for (const [what, list, text, hits] of cases) it(what, () => expect(found(list, text)).to.deep.equal(hits));

  it("says what to write instead", () => {
    const [hit] = findPhrases(parsePhrases("/a => b/ => d"), "a => b");
    expect(hit).to.include({ line: 1, found: "a => b" });
    expect(hit?.phrase.instead).to.equal("d");
  });

  it("refuses a line without a replacement", () => {
    expect(() => parsePhrases("# list\nanew")).to.throw('line 2 has no "=>": anew');
  });

  it("blanks the first cell of table rows", () => {
    expect(withoutFirstCells("text | told |\n| told | given |\n")).to.equal("text | told |\n|| given |\n");
  });

  const list = parsePhrases(readFileSync(join(import.meta.dirname, "phrases.txt"), "utf8"));
  const accepted = [
    "There is no such key, and the key is no longer valid.",
    "There is none. Anyone who has the backup can restore it. Callers who send a key are counted.",
    "It stands in for the real clock. The list goes on top of the page.",
    "Look up the address. The gateway looks up keys, and reads the file again.",
  ];
  for (const text of accepted)
    it(`accepts "${text}"`, () => expect(findPhrases(list, text).map((hit) => hit.found)).to.deep.equal([]));
});
