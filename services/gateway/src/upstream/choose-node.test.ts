import { expect } from "chai";
import { chooseNode, type Standing } from "./choose-node.ts";

interface Named extends Standing {
  name: string;
}

/** `A` answers and is connected, `a` answers, `.` is silent. */
function nodesOf(states: string): Named[] {
  return [...states].map((state, index) => ({
    name: String(index),
    answering: state !== ".",
    connected: state === "A",
  }));
}

describe("chooseNode", () => {
  const cases: readonly (readonly [
    states: string,
    tried: string,
    turn: number,
    answeringOnly: boolean,
    chosen: string | undefined,
  ])[] = [
    ["AAA", "", 0, false, "0"],
    ["AAA", "", 4, false, "1"],
    ["AAA", "1", 4, false, "2"],
    ["A.A", "", 1, false, "2"],
    ["aA", "", 0, false, "1"],
    ["a.", "", 1, false, "0"],
    ["..", "", 1, false, "1"],
    ["..", "1", 1, false, "0"],
    ["..", "", 1, true, undefined],
    [".a", "", 0, true, "1"],
    ["A.", "0", 0, true, undefined],
    ["A.", "0", 0, false, "1"],
    ["AA", "01", 0, false, undefined],
    ["", "", 3, false, undefined],
  ];
  for (const [states, tried, turn, answeringOnly, chosen] of cases) {
    it(`of "${states}" without "${tried}", turn ${turn}${answeringOnly ? ", answering only" : ""}: ${chosen}`, () => {
      const nodes = nodesOf(states);
      const without = new Set(nodes.filter(({ name }) => tried.includes(name)));
      expect(chooseNode(nodes, without, turn, answeringOnly)?.name).to.equal(chosen);
    });
  }
});
