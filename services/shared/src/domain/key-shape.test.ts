import { expect } from "chai";
import { displayKey, parseKey } from "./key-shape.ts";

const RANDOM = "0123456789ABCDEFGHIJab";
const MAC = "zyxwvutsrqponmlkjiQ7x4";
const SECRET = `geo_sk_K1a9${RANDOM}_${MAC}`;

describe("the shape of a key", () => {
  it("parses a secret key", () => {
    expect(parseKey(SECRET)).to.deep.equal({
      kind: "secret",
      signingKeyId: "K1a9",
      signed: "geo_sk_K1a90123456789ABCDEFGHIJab",
      mac: "zyxwvutsrqponmlkjiQ7x4",
    });
  });

  it("parses a publishable key with a longer random part", () => {
    expect(parseKey(`geo_pk_0000${RANDOM}${RANDOM}_${MAC}`)).to.deep.equal({
      kind: "publishable",
      signingKeyId: "0000",
      signed: `geo_pk_0000${RANDOM}${RANDOM}`,
      mac: MAC,
    });
  });

  it("accepts 256 characters and refuses 257", () => {
    const fill = 256 - SECRET.length;
    expect(parseKey(`geo_sk_K1a9${RANDOM}${"a".repeat(fill)}_${MAC}`)?.mac).to.equal(MAC);
    expect(parseKey(`geo_sk_K1a9${RANDOM}${"a".repeat(fill + 1)}_${MAC}`)).to.equal(null);
  });

  const malformed: Record<string, string> = {
    nothing: "",
    "a word": "secret",
    "the prefix alone": "geo_sk_",
    "another prefix": SECRET.replace("geo_sk_", "geo_xk_"),
    "an upper-case prefix": SECRET.replace("geo_sk_", "GEO_SK_"),
    "no prefix": SECRET.slice("geo_sk_".length),
    "no MAC": SECRET.slice(0, -23),
    "an empty MAC": SECRET.slice(0, -22),
    "a MAC a character short": SECRET.slice(0, -1),
    "a MAC a character long": `${SECRET}a`,
    "a random part a character short": `geo_sk_K1a9${RANDOM.slice(1)}_${MAC}`,
    "an extra underscore": `geo_sk_K1a9_${RANDOM}_${MAC}`,
    "a hyphen in the random part": `geo_sk_K1a9${RANDOM}-_${MAC}`,
    "a leading blank": ` ${SECRET}`,
    "a trailing newline": `${SECRET}\n`,
    "a zero byte": `geo_sk_K1a9${RANDOM}\0_${MAC}`,
    "a letter outside ASCII": `geo_sk_K1a9${RANDOM}é_${MAC}`,
    "a full-width digit": `geo_sk_K1a9${RANDOM}１_${MAC}`,
    "two keys": `${SECRET},${SECRET}`,
    "a megabyte": "a".repeat(1 << 20),
  };
  for (const [what, text] of Object.entries(malformed))
    it(`refuses ${what}`, () => expect(parseKey(text)).to.equal(null));
});

describe("the display form of a key", () => {
  it("shows the prefix and the last four characters of the MAC", () => {
    expect(displayKey(SECRET)).to.equal("geo_sk_…Q7x4");
    expect(displayKey(SECRET.replace("sk", "pk"))).to.equal("geo_pk_…Q7x4");
  });
});
