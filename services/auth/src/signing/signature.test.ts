import { randomBytes } from "node:crypto";
import { type ParsedKey, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import { base62, macMatches, mintKey, randomBase62 } from "./signature.ts";

const signingKey = { id: "K1a9", secret: Buffer.alloc(32, 7) };
const parsed = (key: string) => parseKey(key) as ParsedKey;

describe("base62", () => {
  const cases: [hex: string, width: number, text: string][] = [
    ["00", 1, "0"],
    ["00", 3, "000"],
    ["3d", 1, "z"],
    ["3e", 2, "10"],
    ["ff", 4, "0047"],
    // 2^128 - 1, by Python's divmod.
    ["ffffffffffffffffffffffffffffffff", 22, "7n42DGM5Tflk9n8mt7Fhc7"],
  ];
  for (const [hex, width, text] of cases)
    it(`of ${hex} in ${width} is ${text}`, () => expect(base62(Buffer.from(hex, "hex"), width)).to.equal(text));

  it("redraws bytes that would favor some digits", () => {
    const draws = [Buffer.from([248, 255, 0]), Buffer.from([61, 62, 247])];
    expect(randomBase62(3, () => draws.shift() as Buffer)).to.equal("0z0");
  });
});

describe("a minted key", () => {
  it("has the documented shape and MAC", () => {
    // HMAC-SHA256 and base62 by Python's hmac and divmod.
    const key = mintKey("secret", signingKey, (size) => Buffer.alloc(size, 1));
    expect(key).to.equal("geo_sk_K1a91111111111111111111111_4LElr2pkaasT2wFoYhg1wr");
  });

  it("is parsed correctly and verified by its signing key", () => {
    for (const kind of ["publishable", "secret"] as const)
      for (let i = 0; i < 200; i++) {
        const key = parsed(mintKey(kind, signingKey, randomBytes));
        expect(key).to.include({ kind, signingKeyId: "K1a9" });
        expect(macMatches(key, signingKey)).to.equal(true);
      }
  });

  it("is refused after any single character changes", () => {
    const key = mintKey("publishable", signingKey, randomBytes);
    for (let i = 0; i < key.length; i++)
      for (const letter of ["0", "Z", "q"]) {
        if (key[i] === letter) continue;
        const changed = parseKey(key.slice(0, i) + letter + key.slice(i + 1));
        expect(changed !== null && macMatches(changed, signingKey), `${letter} at ${i}`).to.equal(false);
      }
  });

  it("is refused as the other kind, and by another secret", () => {
    const key = mintKey("publishable", signingKey, randomBytes);
    expect(macMatches(parsed(key.replace("_pk_", "_sk_")), signingKey)).to.equal(false);
    expect(macMatches(parsed(key), { ...signingKey, secret: Buffer.alloc(32, 8) })).to.equal(false);
  });
});
