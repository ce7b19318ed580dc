import { hash, randomInt } from "node:crypto";
import { expect } from "chai";
import { DigestMap } from "./digest-map.ts";

describe("DigestMap", () => {
  it("equals a Map after any changes", () => {
    const digests = Array.from({ length: 2_000 }, (_, number) => hash("sha256", `${number}`, "binary"));
    const map = new DigestMap<{ change: number }>();
    const expected = new Map<string, { change: number }>();
    for (let change = 0; change < 20_000; change++) {
      const digest = digests[randomInt(digests.length)] as string;
      if (randomInt(3) === 0) {
        map.delete(digest);
        expected.delete(digest);
      } else {
        const value = { change };
        map.set(digest, value);
        expected.set(digest, value);
      }
      if (change === 10_000) {
        map.clear();
        expected.clear();
        expect(map.size).to.equal(0);
      }
    }
    expect(map.size).to.equal(expected.size);
    const { values } = map as unknown as { values: unknown[] };
    expect(values.length).to.be.at.most(digests.length);
    expect(values.filter((value) => value !== undefined)).to.have.length(map.size);
    expect(digests.filter((digest) => map.get(digest) !== expected.get(digest))).to.deep.equal([]);
  });
});
