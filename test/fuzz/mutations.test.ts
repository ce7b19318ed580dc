import { expect } from "chai";
import { mutate } from "./mutations.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe("mutations", () => {
  for (const [mutation, expected] of [
    [{ kind: "set", at: 500, byte: 0x78 }, "abcdexghij"],
    [{ kind: "insert", at: 0, bytes: Buffer.from("xy") }, "xyabcdefghij"],
    [{ kind: "insert", at: 1_000, bytes: Buffer.from("xy") }, "abcdefghijxy"],
    [{ kind: "remove", at: 200, length: 100 }, "abdefghij"],
    [{ kind: "repeat", at: 200, length: 100, times: 2 }, "abcccdefghij"],
    [{ kind: "cut", at: 300 }, "abc"],
  ] as const)
    it(`${mutation.kind} makes ${expected}`, () => {
      expect(text(mutate(Buffer.from("abcdefghij"), mutation))).to.equal(expected);
    });
});
