import { expect } from "chai";
import { SHARD_COUNT, shardOf } from "./usage-shard.ts";

describe("shardOf", () => {
  // Published test vectors of 32-bit FNV-1a (draft-eastlake-fnv): "" 811c9dc5, "a" e40c292c, "foobar" bf9cf968.
  const cases: [keyId: string, hash: number][] = [
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["foobar", 0xbf9cf968],
  ];
  for (const [keyId, hash] of cases)
    it(`is stable for ${JSON.stringify(keyId)}`, () => expect(shardOf(keyId)).to.equal(hash % 64));

  it("spreads keys over all shards", () => {
    const sizes = new Array<number>(SHARD_COUNT).fill(0);
    for (let number = 0; number < 6400; number++) {
      const shard = shardOf(`key${number}`);
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    expect(Math.min(...sizes)).to.be.above(50);
    expect(Math.max(...sizes)).to.be.below(200);
  });
});
