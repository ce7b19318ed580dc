import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { DIGEST_BYTES, DigestIndex } from "./digest-index.ts";

/** More rows than the index has at first, several times over. */
const ROWS = 5_000;

const text = (digest: Buffer) => digest.toString("latin1");

/** A digest of zeros, except for its first byte and its last bytes. */
function digestOf(first: number, last: readonly number[]): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  digest[0] = first;
  digest.set(last, DIGEST_BYTES - last.length);
  return digest;
}

describe("DigestIndex", () => {
  const many = (count: number, nth: (i: number) => Buffer) => Array.from({ length: count }, (_, i) => nth(i));
  const cases: [what: string, digests: Buffer[]][] = [
    ["random digests", many(ROWS, () => randomBytes(DIGEST_BYTES))],
    ["digests with the same last four bytes", many(256, (i) => digestOf(i, [255, 255, 255, 255]))],
    ["digests that belong at the last places", many(600, (i) => digestOf(1, [i >> 8, i, 255, 255]))],
    ["a digest of zeros, and one that differs in its first byte", [digestOf(0, []), digestOf(1, [])]],
  ];
  for (const [what, digests] of cases)
    it(`finds ${what}`, () => {
      const index = new DigestIndex();
      const rows = () => digests.map((digest) => index.find(text(digest)));
      expect(new Set(rows())).to.deep.equal(new Set([undefined]));
      for (const digest of digests) index.add(digest);
      expect(rows()).to.deep.equal([...digests.keys()]);
      expect(index.find(text(randomBytes(DIGEST_BYTES)))).to.equal(undefined);
      expect(index.digestsOf(1, digests.length)).to.deep.equal(Buffer.concat(digests.slice(1)));
    });

  it("finds the last of several rows with the same digest, also after it has grown", () => {
    const index = new DigestIndex();
    const same = randomBytes(DIGEST_BYTES);
    for (let row = 0; row < ROWS; row++) index.add(row < 10 ? same : randomBytes(DIGEST_BYTES));
    expect(index.find(text(same))).to.equal(9);
    index.add(same);
    expect(index.find(text(same))).to.equal(ROWS);
  });
});
