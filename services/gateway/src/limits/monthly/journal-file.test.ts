import { expect } from "chai";
import { journalLine, parseJournal } from "./journal-file.ts";

describe("journal lines", () => {
  it("round-trip", () => {
    const text = journalLine("2026-05-02", "key_1-A", 7) + journalLine("2026-05-03", "customer_a/key_1-A", 123456789);
    expect(text).to.equal("2026-05-02 key_1-A 7\n2026-05-03 customer_a/key_1-A 123456789\n");
    expect(parseJournal(text)).to.deep.equal({
      counts: [
        { day: "2026-05-02", account: "key_1-A", count: 7 },
        { day: "2026-05-03", account: "customer_a/key_1-A", count: 123456789 },
      ],
      damagedLines: 0,
      isTorn: false,
    });
  });

  const WHOLE = "2026-05-02 key1 7\n";
  for (const last of ["2026-05-03 key2 42", "2026-05-03 customer_a/key2 42"])
    it(`may be torn anywhere in the last line, ${last}`, () => {
      for (let length = 0; length <= last.length; length++)
        expect(parseJournal(WHOLE + last.slice(0, length)), last.slice(0, length)).to.deep.equal({
          counts: [{ day: "2026-05-02", account: "key1", count: 7 }],
          damagedLines: 0,
          isTorn: length > 0,
        });
    });

  const damaged: [what: string, text: string][] = [
    ["a torn line followed by more", `2026-05-02 k\n${WHOLE}`],
    ["an empty line", `\n${WHOLE}`],
    ["zeros at the end", `${WHOLE}\0\0\0\0`],
    ["zeros within", `\0\0\0\n${WHOLE}`],
    ["a nonexistent date", `2026-02-30 key1 1\n${WHOLE}`],
    ["an account of three parts", `2026-05-02 customer_a/key1/key2 1\n${WHOLE}`],
    ["an account without a key", `2026-05-02 customer_a/ 1\n${WHOLE}`],
    ["a count of zero", `2026-05-02 key1 0\n${WHOLE}`],
    ["a count out of range", `2026-05-02 key1 9999999999999999\n${WHOLE}`],
    ["a count in exponent notation", `2026-05-02 key1 1e9\n${WHOLE}`],
    ["other text at the end", `${WHOLE}{"json":`],
  ];
  for (const [what, text] of damaged)
    it(`are reported as damaged, and the others parsed, with ${what}`, () =>
      expect(parseJournal(text)).to.deep.equal({
        counts: [{ day: "2026-05-02", account: "key1", count: 7 }],
        damagedLines: 1,
        isTorn: false,
      }));
});
