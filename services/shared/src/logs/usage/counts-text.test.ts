import { expect } from "chai";
import { CountsText } from "./counts-text.ts";

describe("CountsText", () => {
  let counts: CountsText;
  beforeEach(() => {
    counts = new CountsText();
  });
  const raise = (given: Record<string, number>) => counts.raise(Object.entries(given));
  const text = () => counts.write("{", "}").toString();

  it("writes every number of digits", () => {
    const numbers = [1, 9, 10, 99, 100, 12_345, 2 ** 31, 2 ** 32 + 1, 999_999_999_999_999, Number.MAX_SAFE_INTEGER];
    const given = Object.fromEntries(numbers.map((number) => [`k${number}`, number]));
    raise(given);
    expect(JSON.parse(text())).to.deep.equal(given);
  });

  it("writes any number of names as JSON", () => {
    const given = Object.fromEntries(
      ['"', "\\", "\n", "é", "日本", "\ud800", "", "__proto__", "x".repeat(10_000)].map((name, index) => [
        name,
        index + 1,
      ]),
    );
    raise(given);
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key_${index}`, index + 1]));
    raise(many);
    expect(JSON.parse(text())).to.deep.equal({ ...given, ...many });
  });
});
