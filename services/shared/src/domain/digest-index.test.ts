import { hash, randomInt } from "node:crypto";
import { expect } from "chai";
import { DigestIndex } from "./digest-index.ts";

const DIGEST_BYTES = 32;
/** More than the index has space for at first, several times over. */
const MANY = 5_000;

const digestOf = (number: number) => hash("sha256", `${number}`, "binary");
/** A digest of zeros, except for its first bytes. */
const startingWith = (...bytes: number[]) => String.fromCharCode(...bytes).padEnd(DIGEST_BYTES, "\0");
const many = (count: number, nth: (i: number) => string) => Array.from({ length: count }, (_, i) => nth(i));

describe("DigestIndex", () => {
  const cases: [what: string, digests: string[]][] = [
    ["many digests", many(MANY, digestOf)],
    ["digests that begin with the same four bytes", many(256, (i) => startingWith(1, 2, 3, 4, i))],
    ["digests that begin with the same eight bytes", many(256, (i) => startingWith(1, 2, 3, 4, 5, 6, 7, 8, i))],
    ["digests that belong in the last slots", many(600, (i) => startingWith(255, 255, 255, 255, i & 255, i >> 8))],
    ["a digest of zeros, and one that differs in one byte", [startingWith(0), startingWith(0, 0, 0, 1)]],
  ];
  for (const [what, digests] of cases) {
    it(`finds ${what}`, () => {
      const index = new DigestIndex();
      const found = () => digests.map((digest) => index.get(digest));
      expect(new Set(found())).to.deep.equal(new Set([undefined]));
      for (const [number, digest] of digests.entries()) index.set(digest, number);
      expect(found()).to.deep.equal([...digests.keys()]);
      expect([index.size, index.get(digestOf(MANY))]).to.deep.equal([digests.length, undefined]);
    });

    it(`finds those of ${what} that aren't deleted`, () => {
      const index = new DigestIndex();
      const expected = new Map<string, number>();
      for (let change = 0; change < 4 * digests.length; change++) {
        const digest = digests[randomInt(digests.length)] as string;
        if (randomInt(2) === 0) {
          index.delete(digest);
          expected.delete(digest);
        } else {
          index.set(digest, change);
          expected.set(digest, change);
        }
      }
      expect(index.size).to.equal(expected.size);
      expect(digests.map((digest) => index.get(digest))).to.deep.equal(digests.map((digest) => expected.get(digest)));
    });
  }

  it("has the last number of a digest, also after it has grown", () => {
    const index = new DigestIndex();
    for (let number = 0; number < MANY; number++) index.set(digestOf(Math.max(number, 9)), number);
    expect(index.get(digestOf(9))).to.equal(9);
    index.set(digestOf(9), MANY);
    expect([index.get(digestOf(9)), index.size]).to.deep.equal([MANY, MANY - 9]);
  });
});
