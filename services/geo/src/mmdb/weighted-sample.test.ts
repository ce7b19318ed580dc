import { expect } from "chai";
import { buildAddressIndex, createIndexSearch } from "./address-index.ts";
import { type MmdbMetadata, readMetadata } from "./metadata.ts";
import { drawAddresses } from "./weighted-sample.ts";
import { buildMmdb } from "./writer.ts";

/** Numbers from 0 up to 1, the same in every run (a linear congruential generator with the constants of Numerical Recipes). */
function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("drawAddresses", () => {
  const DRAWN = 4_000;
  /** How many of the drawn addresses each of some networks has. */
  const draw = (ipVersion: 4 | 6, networks: readonly string[]) => {
    const entries = networks.map((network) => [network, { network }] as const);
    const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize: 24, entries });
    const metadata: MmdbMetadata = readMetadata(bytes);
    const search = createIndexSearch(buildAddressIndex(bytes, metadata));
    const drawn = drawAddresses(bytes, metadata, DRAWN, seededRandom());
    expect(drawn).to.have.length(DRAWN);
    const counts = new Map<number, number>();
    for (const address of drawn) {
      const record = typeof address === "number" ? search.ipv4(address) : search.ipv6(address);
      counts.set(record, (counts.get(record) ?? 0) + 1);
    }
    expect(counts.has(metadata.nodeCount), "addresses without data").to.equal(false);
    return [...counts.values()].map((count) => count / DRAWN).sort();
  };

  it("draws IPv4 networks in proportion to their addresses", () => {
    const [small = 0, large = 0, ...others] = draw(4, ["9.0.0.0/10", "200.0.0.0/8"]);
    expect(others).to.deep.equal([]);
    expect(small).to.be.closeTo(0.2, 0.03);
    expect(large).to.be.closeTo(0.8, 0.03);
  });

  it("draws IPv6 networks equally often, and IPv4 networks half of the time", () => {
    const shares = draw(6, ["9.0.0.0/8", "2a00::/12", "2c00:1:2::/48"]);
    for (const [index, expected] of [0.25, 0.25, 0.5].entries())
      expect(shares[index], `${index}`).to.be.closeTo(expected, 0.03);
  });

  for (const network of ["9.0.0.0/8", "2a00::/12"])
    it(`draws only from ${network} if there is nothing else`, () => {
      expect(draw(6, [network])).to.deep.equal([1]);
    });
});
