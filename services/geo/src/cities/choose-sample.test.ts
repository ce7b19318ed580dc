import { expect } from "chai";
import { chooseSample } from "./choose-sample.ts";

describe("the place of a city", () => {
  const cases: Record<string, [degrees: number[], expected: number | null]> = {
    "that has one": [[47.6, -122.3], 0],
    "that has none": [[], null],
    "is the one in the middle": [[47.5, -122.3, 47.6, -122.3, 47.8, -122.3], 1],
    "is in the middle across 180°": [[-17, 179.6, -17, 179.9, -17, -179.5], 1],
    "at a pole": [[89.9, 0, 89.9, 120, 90, 0, 89.9, -120], 2],
    "is unknown for two that are 101 km apart": [[0, 0, 0, 0.91], null],
    "is one of two that are 99 km apart": [[0, 0, 0, 0.89], 0],
    "isn't known if the two halves of the world have it": [[10, 0, -10, 180], null],
    "is known if one in ten is misplaced": [[...Array<number>(18).fill(10), 50, 50], 0],
    "isn't known if one in nine is misplaced": [[...Array<number>(16).fill(10), 50, 50], null],
  };
  for (const [what, [degrees, expected]] of Object.entries(cases))
    it(what, () => expect(chooseSample(degrees)).to.equal(expected));
});
