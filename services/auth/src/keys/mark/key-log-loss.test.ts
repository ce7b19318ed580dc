import { expect } from "chai";
import { decideKeyLog, type FoundKeyLog, type KeyLogWitness } from "./key-log-loss.ts";

const RESTORED = "restored-2000-x";
/** A log of so many events: `a1`, `a2`, … */
const log = (lastSequence: number, epoch = "e2"): FoundKeyLog => ({
  epoch,
  lastSequence,
  hasEvent: (eventId, sequence) => sequence <= lastSequence && eventId === `a${sequence}`,
});
const position = (epoch: string, sequence: number, eventId: string): KeyLogWitness => ({
  name: `${epoch} ${sequence} ${eventId}`,
  epoch,
  sequence,
  eventId,
});
const USAGE: KeyLogWitness = { name: "usage", keysExisted: true };

describe("deciding whether a key log was lost", () => {
  const cases: [what: string, log: FoundKeyLog, witnesses: KeyLogWitness[], expected: string][] = [
    ["empty, and nobody knows of keys", log(0), [], "first start"],
    ["empty, and a witness that read an empty log", log(0), [position("e2", 0, "")], "first start"],
    ["a log without witnesses", log(3), [], "ok"],
    ["as long as the mark", log(3), [position("e2", 3, "a3")], "ok"],
    ["longer than the mark", log(9), [position("e2", 3, "a3")], "ok"],
    ["longer than the mark, with counts", log(9), [position("e2", 3, "a3"), USAGE], "ok"],
    ["empty, with counts of keys", log(0), [USAGE], "lost: usage"],
    ["empty, with a mark", log(0), [position("e2", 3, "a3")], "lost: e2 3 a3"],
    ["shorter than the mark", log(2), [position("e2", 3, "a3")], "lost: e2 3 a3"],
    ["another event at the mark", log(9), [position("e2", 3, "b3")], "lost: e2 3 b3"],
    ["the marked event is elsewhere", log(9), [position("e2", 4, "a3")], "lost: e2 4 a3"],
    ["a new epoch of the same events", log(3), [position("e1", 3, "a3")], "ok"],
    ["a new epoch of other events", log(9), [position("e1", 3, "b3")], "lost: e1 3 b3"],
    ["a new epoch, empty", log(0), [position("e1", 3, "a3")], "lost: e1 3 a3"],
    ["one of several witnesses", log(3), [position("e2", 3, "a3"), position("e2", 4, "a4")], "lost: e2 4 a4"],
    ["several witnesses", log(0), [USAGE, position("e2", 4, "a4")], "lost: usage, e2 4 a4"],
    ["a person's decision, empty", log(0, "new-2000-x"), [position("e1", 3, "a3"), USAGE], "ok"],
    ["a restore", log(2, RESTORED), [position("e1", 3, "b3")], "ok"],
    ["a restore after another one", log(2, RESTORED), [position("restored-1000-x", 3, "b3")], "ok"],
    ["a volume from before a restore", log(9, RESTORED), [position("new-3000-x", 3, "b3")], "lost: new-3000-x 3 b3"],
    [
      "a restore, then lost again",
      log(1, RESTORED),
      [position("e1", 3, "b3"), position(RESTORED, 2, "a2")],
      `lost: ${RESTORED} 2 a2`,
    ],
  ];
  for (const [what, found, witnesses, expected] of cases)
    it(`${what}: ${expected}`, () => {
      const state = decideKeyLog(found, witnesses);
      expect(state.kind === "lost" ? `lost: ${state.shownBy.join(", ")}` : state.kind).to.equal(expected);
    });
});
