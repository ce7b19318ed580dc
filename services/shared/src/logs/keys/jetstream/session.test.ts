import { expect } from "chai";
import { compareWithStream, type KeyStreamCursor, type KeyStreamState } from "./session.ts";

const message = (subject: string, text: string) => ({ subject, data: Buffer.from(text) });
const A = message("keys.a", '{"id":"1"}');
const RESTORED = "restored-1000-x";
const SEEN: KeyStreamCursor = { epoch: "e1", sequence: 7, last: A };
const SAME: KeyStreamState = { epoch: "e1", lastSequence: 7, atCursor: message("keys.a", '{"id":"1"}') };
const EMPTY: KeyStreamCursor = { epoch: "e1", sequence: 0, last: undefined };

describe("where to continue in a stream, by the messages that were received from it", () => {
  const cases: [what: string, cursor: KeyStreamCursor, state: KeyStreamState, expected: string | RegExp][] = [
    ["the same", SEEN, SAME, "after the cursor"],
    ["the same with more", SEEN, { ...SAME, lastSequence: 9 }, "after the cursor"],
    ["nothing seen, nothing there", EMPTY, { epoch: "e1", lastSequence: 0, atCursor: undefined }, "after the cursor"],
    ["nothing seen, something there", EMPTY, { epoch: "e1", lastSequence: 3, atCursor: undefined }, "after the cursor"],
    ["another epoch of the same messages", SEEN, { ...SAME, epoch: "e2" }, "at the start"],
    ["another epoch before anything was seen", EMPTY, { ...SAME, epoch: "e2" }, "at the start"],
    ["no epoch at all", SEEN, { ...SAME, epoch: undefined }, "at the start"],
    ["restored, and shorter", SEEN, { epoch: RESTORED, lastSequence: 1, atCursor: undefined }, "at the start"],
    ["new and empty", SEEN, { epoch: "new-1000-x", lastSequence: 0, atCursor: undefined }, "at the start"],
    [
      "a volume from before a restore",
      { ...SEEN, epoch: "new-2000-x" },
      { epoch: RESTORED, lastSequence: 1, atCursor: undefined },
      /ends at message 1/,
    ],
    ["another epoch, shorter", SEEN, { ...SAME, epoch: "e2", lastSequence: 6 }, /ends at message 6/],
    ["an end before the cursor", SEEN, { ...SAME, lastSequence: 6 }, /ends at message 6, but message 7 was received/],
    ["an empty stream", SEEN, { ...SAME, lastSequence: 0, atCursor: undefined }, /ends at message 0/],
    ["another message at the cursor", SEEN, { ...SAME, atCursor: message("keys.a", '{"id":"2"}') }, /message 7 is not/],
    ["the same data for another key", SEEN, { ...SAME, atCursor: message("keys.b", '{"id":"1"}') }, /message 7 is not/],
    ["no message at the cursor", SEEN, { ...SAME, lastSequence: 9, atCursor: undefined }, /message 7 is not/],
  ];
  for (const [what, cursor, state, expected] of cases)
    it(what, () => {
      const place = compareWithStream(cursor, state);
      const text = typeof place === "string" ? place : place.lacking;
      if (typeof expected === "string") expect(text).to.equal(expected);
      else expect(text).to.match(expected);
    });
});
