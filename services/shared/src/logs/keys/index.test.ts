import { expect } from "chai";
import type { KeyEvent } from "../../domain/key-event.ts";
import { addToKeyLogIndex, emptyKeyLogIndex, placeEvents } from "./index.ts";

const event = (id: string, keyId: string, version: number): KeyEvent => ({
  id,
  keyId,
  version,
  type: "KeyLabelChanged",
  at: "2026-01-02T03:04:05.000Z",
  by: "test",
  data: { label: "" },
});

describe("placing events in a key log", () => {
  const index = emptyKeyLogIndex();
  addToKeyLogIndex(index, event("e1", "a", 1));
  addToKeyLogIndex(index, event("e2", "a", 2));
  addToKeyLogIndex(index, event("e3", "b", 1));

  const place = (...events: KeyEvent[]) =>
    placeEvents(index, events).map((placement) =>
      "conflict" in placement ? "conflict" : `${placement.stored} ${placement.sequence}`,
    );

  const cases: [what: string, events: KeyEvent[], placements: string[]][] = [
    ["the next version follows", [event("x", "a", 3)], ["now 4"]],
    ["a new key starts at 1", [event("x", "c", 1)], ["now 4"]],
    ["a new key cannot start at 2", [event("x", "c", 2)], ["conflict"]],
    ["version 0 conflicts", [event("x", "c", 0)], ["conflict"]],
    ["a taken version conflicts", [event("x", "a", 2)], ["conflict"]],
    ["a gap conflicts", [event("x", "a", 4)], ["conflict"]],
    ["a retry is recognized by its id", [event("e2", "a", 2)], ["before 2"]],
    ["so is a retry within one batch", [event("x", "a", 3), event("x", "a", 3)], ["now 4", "before 4"]],
    ["the first of a batch wins", [event("x", "a", 3), event("y", "a", 3)], ["now 4", "conflict"]],
    [
      "a batch builds on itself",
      [event("x", "c", 1), event("y", "c", 2), event("z", "b", 2)],
      ["now 4", "now 5", "now 6"],
    ],
    ["a conflict takes no sequence", [event("x", "a", 9), event("y", "b", 2)], ["conflict", "now 4"]],
  ];
  for (const [what, events, placements] of cases) it(what, () => expect(place(...events)).to.deep.equal(placements));

  it("changes nothing itself", () => {
    placeEvents(index, [event("x", "a", 3)]);
    expect([index.count, index.versions.get("a"), index.sequences.size]).to.deep.equal([3, 2, 3]);
  });
});
