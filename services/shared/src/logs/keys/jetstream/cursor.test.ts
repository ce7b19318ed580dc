import { expect } from "chai";
import { type KeyStreamCursor, type KeyStreamState, lossSince } from "./cursor.ts";

const message = (subject: string, text: string) => ({ subject, data: Buffer.from(text) });
const A = message("keys.a", '{"id":"1"}');
const SEEN: KeyStreamCursor = { epoch: "e1", sequence: 7, last: A };
const SAME: KeyStreamState = { epoch: "e1", lastSequence: 7, atCursor: message("keys.a", '{"id":"1"}') };
const EMPTY: KeyStreamCursor = { epoch: "e1", sequence: 0, last: undefined };

describe("whether a stream still has the messages that were received from it", () => {
  const cases: [what: string, cursor: KeyStreamCursor, state: KeyStreamState, loss: RegExp | undefined][] = [
    ["the same", SEEN, SAME, undefined],
    ["the same with more", SEEN, { ...SAME, lastSequence: 9 }, undefined],
    ["nothing seen, nothing there", EMPTY, { epoch: "e1", lastSequence: 0, atCursor: undefined }, undefined],
    ["nothing seen, something there", EMPTY, { epoch: "e1", lastSequence: 3, atCursor: undefined }, undefined],
    ["another epoch", SEEN, { ...SAME, epoch: "e2" }, /its epoch changed/],
    ["another epoch before anything was seen", EMPTY, { ...SAME, epoch: "e2" }, /its epoch changed/],
    ["no epoch at all", SEEN, { ...SAME, epoch: undefined }, /its epoch changed/],
    ["an end before the cursor", SEEN, { ...SAME, lastSequence: 6 }, /ends at message 6, but message 7 was received/],
    ["an empty stream", SEEN, { ...SAME, lastSequence: 0, atCursor: undefined }, /ends at message 0/],
    ["another message at the cursor", SEEN, { ...SAME, atCursor: message("keys.a", '{"id":"2"}') }, /message 7 is not/],
    ["the same data for another key", SEEN, { ...SAME, atCursor: message("keys.b", '{"id":"1"}') }, /message 7 is not/],
    ["no message at the cursor", SEEN, { ...SAME, lastSequence: 9, atCursor: undefined }, /message 7 is not/],
  ];
  for (const [what, cursor, state, loss] of cases)
    it(what, () => {
      if (loss) expect(lossSince(cursor, state)).to.match(loss);
      else expect(lossSince(cursor, state)).to.equal(undefined);
    });
});
