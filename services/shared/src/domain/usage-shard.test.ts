import { expect } from "chai";
import { accountOf, keyOf, quotaOf, SHARD_COUNT, shardOf } from "./usage-shard.ts";

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

describe("accountOf", () => {
  const ACCOUNTS: [quotaId: string, keyId: string, account: string][] = [
    ["key_1", "key_1", "key_1"],
    ["customer_acme", "key_1", "customer_acme/key_1"],
    ["key_1", "key_2", "key_1/key_2"],
  ];
  for (const [quotaId, keyId, account] of ACCOUNTS)
    it(`names the requests of ${keyId} that count toward ${quotaId} ${account}, in the shard of the quota`, () => {
      expect(accountOf(quotaId, keyId)).to.equal(account);
      expect([quotaOf(account), keyOf(account)]).to.deep.equal([quotaId, keyId]);
      expect(shardOf(account)).to.equal(shardOf(quotaId));
    });
});
