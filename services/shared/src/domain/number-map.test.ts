import { expect } from "chai";
import { NumberMap } from "./number-map.ts";

/** The greatest key plus 1. */
const KEYS = 2 ** 53;

describe("a map of numbers", () => {
  for (const [name, keyOf] of [
    ["in a row", (number: number) => number],
    ["that differ in their upper bits only", (number: number) => number * 2 ** 32],
    ["that are multiples of a large power of two", (number: number) => number * 2 ** 20],
    ["up to the greatest", (number: number) => KEYS - 1 - number],
    ["anywhere", (number: number) => Math.floor((number * 0.6180339887 - Math.floor(number * 0.6180339887)) * KEYS)],
  ] as const)
    it(`has the last value of 100,000 keys ${name}, and of no other`, () => {
      const map = new NumberMap<string>();
      const expected = new Map<number, string>();
      for (let number = 0; number < 100_000; number += 1) {
        const value = `value ${number % 1000}`;
        map.set(keyOf(number), value).set(keyOf(number - (number % 3)), value);
        expected.set(keyOf(number), value).set(keyOf(number - (number % 3)), value);
      }
      expect(map.size).to.equal(expected.size);
      let wrong = 0;
      for (const [key, value] of expected) if (map.get(key) !== value) wrong += 1;
      for (let number = 100_000; number < 200_000; number += 1) {
        const key = keyOf(number);
        if (map.get(key) !== expected.get(key)) wrong += 1;
      }
      expect(wrong).to.equal(0);
    });

  it("has no key at first, not even 0", () => {
    const map = new NumberMap<string>();
    expect([map.size, map.get(0), map.get(1)]).to.deep.equal([0, undefined, undefined]);
    map.set(0, "zero");
    expect([map.size, map.get(0), map.get(1)]).to.deep.equal([1, "zero", undefined]);
  });

  it("returns the very objects that were set", () => {
    const map = new NumberMap<object>();
    const [one, other] = [{}, {}];
    map.set(1, one).set(2, other).set(3, one);
    expect([map.get(1), map.get(2), map.get(3)].map((value) => [one, other].indexOf(value as object))).to.deep.equal([
      0, 1, 0,
    ]);
  });
});
