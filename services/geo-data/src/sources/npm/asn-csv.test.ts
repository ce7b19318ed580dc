import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { createAsnReader, rangeToNetworks, splitCsv } from "./asn-csv.ts";

describe("splitCsv", () => {
  const cases: [string, string[] | null][] = [
    ["a,b,c", ["a", "b", "c"]],
    ["a,,c,", ["a", "", "c", ""]],
    ['1.0.0.0,1.0.0.255,64500,"Ink, Inc."', ["1.0.0.0", "1.0.0.255", "64500", "Ink, Inc."]],
    ['a,"say ""ink""",c', ["a", 'say "ink"', "c"]],
    ['"a","b"', ["a", "b"]],
    ['a,"",', ["a", "", ""]],
    ['a,"b', null],
    ['a,b"c', null],
    ['a,"b"c', null],
  ];
  for (const [line, fields] of cases)
    it(`splits ${line}`, () => {
      expect(splitCsv(line)).to.deep.equal(fields);
    });
});

describe("createAsnReader", () => {
  const system = { autonomous_system_number: 64_500, autonomous_system_organization: "Ink, Inc." };

  it("splits ranges into networks", () => {
    const read = createAsnReader("x.csv");
    expect(read('20.0.0.0,20.0.2.255,64500,"Ink, Inc."')).to.deep.equal([
      ["20.0.0.0/23", system],
      ["20.0.2.0/24", system],
    ]);
    expect(read('2a0a::,2a0a:0:1:ffff:ffff:ffff:ffff:ffff,64500,"Ink, Inc."')).to.deep.equal([
      ["2a0a:0000:0000:0000:0000:0000:0000:0000/47", system],
    ]);
    expect(read("")).to.deep.equal([]);
  });

  it("returns the same object for equal systems", () => {
    const read = createAsnReader("x.csv");
    const [first] = read("20.0.0.0,20.0.0.255,64500,Ink");
    const [second] = read("21.0.0.0,21.0.0.255,64500,Ink");
    expect(first?.[1]).to.equal(second?.[1]);
  });

  for (const line of [
    "<html>",
    "20.0.0.0,20.0.0.255,64500",
    "20.0.0.9,20.0.0.0,1,Ink",
    "20.0.0.0,2a0a::,1,Ink",
    "20.0.0.0,20.0.0.1,x,Ink",
    "20.0.0.0,20.0.0.1,4294967296,Ink",
    'a,"b',
  ]) {
    it(`refuses ${line}`, () => {
      const read = createAsnReader("x.csv");
      read("");
      expect(() => read(line)).to.throw(StartError, /line 2 of x\.csv/);
    });
  }
});

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
