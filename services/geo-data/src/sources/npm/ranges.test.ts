import { expect } from "chai";
import { rangeToNetworks } from "./ranges.ts";

describe("rangeToNetworks", () => {
  const cases: [first: bigint, last: bigint, bits: 32 | 128, expected: string[]][] = [
    [0n, 2n ** 32n - 1n, 32, ["0/0"]],
    [0n, 2n ** 128n - 1n, 128, ["0/0"]],
    [5n, 5n, 32, ["5/32"]],
    [2n ** 32n - 1n, 2n ** 32n - 1n, 32, ["4294967295/32"]],
    [256n, 511n, 32, ["256/24"]],
    [1n, 6n, 32, ["1/32", "2/31", "4/31", "6/32"]],
    [255n, 512n, 32, ["255/32", "256/24", "512/32"]],
  ];
  for (const [first, last, bits, expected] of cases)
    it(`splits ${first} to ${last} of ${bits} bits`, () => {
      const networks = [...rangeToNetworks(first, last, bits)];
      expect(networks.map(({ address, prefixLength }) => `${address}/${prefixLength}`)).to.deep.equal(expected);
    });

  it("covers a range without gaps or overlaps", () => {
    let next = 12_345n;
    for (const { address, prefixLength } of rangeToNetworks(12_345n, 987_654_321n, 32)) {
      expect(address).to.equal(next);
      next = address + 2n ** BigInt(32 - prefixLength);
    }
    expect(next).to.equal(987_654_322n);
  });
});
