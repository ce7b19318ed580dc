import { expect } from "chai";
import { createCandidateFinder, withoutKeys } from "./find-candidates.ts";

// Not issued by anyone: 26 and 22 characters.
const KEY = `geo_sk_${"A1b2".repeat(6)}Zz_${"m9".repeat(11)}`;
const OTHER = `geo_pk_${"q".repeat(40)}_${"Z".repeat(22)}`;

const find = (...chunks: (string | Buffer)[]) => {
  const next = createCandidateFinder();
  return chunks.flatMap((chunk) => next(Buffer.from(chunk))).map(({ text, line }) => [text, line]);
};

describe("texts with the shape of a key", () => {
  it("finds them in the middle of other text, with their lines", () => {
    const text = `KEY="${KEY}"\n\nhttps://api.example/v1/geo?key=${OTHER}&x=1 Bearer ${KEY}\nx${KEY}x\n`;
    expect(find(text)).to.deep.equal([
      [KEY, 1],
      [OTHER, 3],
      [KEY, 3],
      [KEY, 4],
    ]);
  });

  it("finds them wherever a chunk ends", () => {
    const text = `first\n${KEY}\n${"y".repeat(1_000)}\n${OTHER}${KEY}\n${"z".repeat(600)}`;
    for (let size = 1; size < 300; size += 7) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      expect(find(...chunks), `chunks of ${size}`).to.deep.equal([
        [KEY, 2],
        [OTHER, 4],
        [KEY, 4],
      ]);
    }
  });

  it("finds them in UTF-16 and between bytes that are not text", () => {
    expect(find(Buffer.from(`\n${KEY}\n`, "utf16le"))).to.deep.equal([[KEY, 2]]);
    expect(
      find(Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(KEY), Buffer.from([0xc3])])),
    ).to.have.length(1);
  });

  for (const text of [
    KEY.slice(0, -1),
    KEY.replace("geo_sk_", "geo_xk_"),
    KEY.replace("_sk_A1b2A", "_sk_"),
    KEY.replace("Zz_", "Zz-"),
    `geo_sk_${"a".repeat(300)}_${"b".repeat(22)}`,
  ])
    it(`leaves out ${text.slice(0, 60)}`, () => expect(find(`${text}\n`)).to.deep.equal([]));

  it("stays fast on text that almost has the shape", () => {
    const startedAt = performance.now();
    expect(find("geo_sk_".repeat(150_000), `geo_sk_${"a".repeat(1_000_000)}`)).to.deep.equal([]);
    expect(performance.now() - startedAt).to.be.below(5_000);
  });

  it("hides keys and control characters in names", () => {
    expect(withoutKeys(`dir/${KEY}/\u001b[31m\n.txt`)).to.equal("dir/geo_sk_…m9m9/?[31m?.txt");
  });
});
