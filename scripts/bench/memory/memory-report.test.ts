import { expect } from "chai";
import { bytesAKey, type KeyMemory, memoryMarkdown } from "./memory-report.ts";

const held = (idleBytes: number, usedBytes: number) => new Map([["gateway", { idleBytes, usedBytes }]]);
/** 300 bytes a key once issued; 450 more once used; 2 MB more after any load. */
const KEYS: KeyMemory = {
  ...{ deployment: "cluster", fewKeys: 10, manyKeys: 1_010 },
  few: held(20_000_000, 22_000_000),
  many: held(20_300_000, 22_750_000),
};

describe("the report on memory", () => {
  it("reports the memory of a key, without that of the load", () => {
    expect(bytesAKey(KEYS, "gateway")).to.deep.equal({ issued: 300, used: 450 });
    expect(bytesAKey(KEYS, "nobody")).to.deep.equal({ issued: Number.NaN, used: Number.NaN });
  });

  it("is a table of services and one of databases", () => {
    const database = {
      name: "city.mmdb",
      fileBytes: 81_000_000,
      openBytes: 82_000_000,
      usedBytes: 99_500_000,
      addresses: 262_144,
    };
    const text = memoryMarkdown({ keys: [KEYS], connections: { count: 2_000, bytes: 7_654.3 }, databases: [database] });
    expect(text)
      .to.include("| cluster | gateway | 300 | 450 | 22.8 |")
      .and.include("| city.mmdb | 81.0 | 82.0 | 99.5 |")
      .and.include("Each of 2,000 keep-alive connections: 7,654 bytes");
  });
});
