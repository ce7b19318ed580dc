import { expect } from "chai";
import { chooseNode, type NodeState } from "./choose-node.ts";

interface Named extends NodeState {
  name: string;
}

/** `A` responds and is connected, `a` responds, `B` and `b` too but are behind, `.` is unresponsive. */
function nodesOf(states: string): Named[] {
  return [...states].map((state, index) => ({
    name: String(index),
    isResponding: state !== ".",
    isConnected: state === "A" || state === "B",
    isBehind: state === "B" || state === "b",
  }));
}

describe("chooseNode", () => {
  const cases: readonly (readonly [
    states: string,
    tried: string,
    turn: number,
    respondingOnly: boolean,
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
    ["BA", "", 0, false, "1"],
    ["Ba", "", 0, false, "1"],
    ["bB", "", 0, false, "1"],
    ["B.", "", 1, false, "0"],
    ["BA", "1", 0, true, "0"],
    ["A.", "0", 0, false, "1"],
    ["AA", "01", 0, false, undefined],
    ["", "", 3, false, undefined],
  ];
  for (const [states, tried, turn, respondingOnly, chosen] of cases) {
    it(`of "${states}" without "${tried}", turn ${turn}${respondingOnly ? ", responding only" : ""}: ${chosen}`, () => {
      const nodes = nodesOf(states);
      const without = new Set(nodes.filter(({ name }) => tried.includes(name)));
      expect(chooseNode(nodes, without, turn, respondingOnly)?.name).to.equal(chosen);
    });
  }
});
