import { expect } from "chai";
import { checkedLine } from "./files/log-file.ts";
import { decodeKeyLogLine } from "./keys/file/key-log-file.ts";
import { decodeUsageLine } from "./usage/file/line.ts";

const READERS = { "key log": decodeKeyLogLine, "usage log": decodeUsageLine } as const;
/** Such as a label: no part of a key may appear in a log. */
const HELD = "label-of-a-key";

// Found by make fuzz: JSON.parse quotes what it can't read.
for (const [log, decode] of Object.entries(READERS))
  describe(`a line of a ${log} with a valid checksum`, () => {
    for (const body of [`${HELD}`, `"a":"${HELD}`, `"a":${HELD}}`, ""])
      it(`that isn't JSON is refused without showing it: ${body}`, () => {
        expect(() => decode(Buffer.from(checkedLine(body))))
          .to.throw(Error, "it isn't JSON")
          .with.property("message")
          .that.does.not.include(HELD);
      });
  });

describe("a line of a key log with a valid checksum", () => {
  for (const sequence of ["null", '"1"', "1.5", "1e999"])
    it(`needs a whole number as its sequence, and not ${sequence}`, () => {
      expect(() => decodeKeyLogLine(Buffer.from(checkedLine(`"sequence":${sequence},"event":{}}`)))).to.throw(
        "sequence",
      );
    });
});
