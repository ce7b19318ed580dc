import { expect } from "chai";
import fc from "fast-check";
import { compareTexts } from "./compare-texts.ts";

describe("the order of texts", () => {
  it("has numbers by their value, and letters in either case", () => {
    const sorted = [
      "",
      " a",
      "_a",
      "-a",
      "#1",
      "2",
      "02b",
      "10",
      "api",
      "Läden",
      "shop",
      "Shop 2",
      "shop 10",
      "Shop 10b",
      "Z",
    ];
    for (const [index, text] of sorted.entries())
      for (const after of sorted.slice(index + 1)) {
        expect(compareTexts(text, after), `${text} < ${after}`).to.be.below(0);
        expect(compareTexts(after, text), `${after} > ${text}`).to.be.above(0);
      }
    expect(compareTexts("SHOP 7", "shop 7")).to.equal(0);
  });

  it("is that of the collator, whatever is compared", () => {
    const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });
    const piece = fc.oneof(
      fc.constantFrom(
        "shop",
        "Shop ",
        "a",
        "B",
        "0",
        "00",
        "1",
        "12",
        "9007199254740993",
        " ",
        "-",
        "_",
        ".",
        "#",
        "ä",
        "e\u0301",
        "ß",
        "é",
      ),
      fc.string({ unit: "grapheme-ascii", maxLength: 3 }),
      fc.string({ unit: "grapheme", maxLength: 2 }),
    );
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, text, (start, one, other) => {
        for (const [a, b] of [
          [one, other],
          [start + one, start + other],
        ] as const)
          expect(Math.sign(compareTexts(a, b)), JSON.stringify([a, b])).to.equal(Math.sign(compare(a, b)));
      }),
      { numRuns: 20_000 },
    );
  });
});
