import { expect } from "chai";
import { hasMoreEntries } from "./protobuf-count.ts";
import { TOTALS } from "./services.ts";

const KEY_IDS_FIELD = 3;
const encode = (keyIds: string[]) =>
  TOTALS.GetTotals.requestSerialize({ instanceId: "instance", month: "2026-11", keyIds, position: 2 ** 40 });
const repeated = (text: string, count: number) => Array.from({ length: count }, () => text);

describe("hasMoreEntries", () => {
  const cases: [name: string, message: Uint8Array, isMore: boolean][] = [
    ["the maximum", encode(repeated("key_aaaaaaaaaaaa", 1_024)), false],
    ["one more", encode(repeated("key_aaaaaaaaaaaa", 1_025)), true],
    ["one more, all empty", encode(repeated("", 1_025)), true],
    ["a few long ones", encode(repeated("a".repeat(5_000), 20)), false],
    ["many of another field", Buffer.from("0a00".repeat(5_000), "hex"), false],
    [
      "a length beyond the end",
      Buffer.concat([
        Buffer.alloc(4_096, "1a00", "hex").subarray(0, 2_000),
        Buffer.from("1affffffff0f", "hex"),
        Buffer.alloc(4_096),
      ]),
      false,
    ],
    ["an endless varint", Buffer.alloc(4_096, 0xff), false],
    ["a wire type that doesn't exist", Buffer.alloc(4_096, 0x1f), false],
    ["fields of fixed length", Buffer.concat([Buffer.from("0d00000000".repeat(2_000), "hex")]), false],
  ];
  for (const [name, message, isMore] of cases)
    it(`returns ${isMore} for ${name}`, () => expect(hasMoreEntries(message, KEY_IDS_FIELD, 1_024)).to.equal(isMore));
});
