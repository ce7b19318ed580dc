import { expect } from "chai";
import { NESTED } from "../testing/records.ts";
import { GERMANY, reportOf, writeDatabase } from "../testing/report-files.ts";

describe("a report about data, with other databases", () => {
  it("throws for a tree that shares its nodes endlessly", async () => {
    const database = await writeDatabase("GeoLite2-City", [
      ["::/1", NESTED],
      ["8000::/1", GERMANY],
    ]);
    const { bytes, metadata } = database.tree;
    // Each node leads to the next one on both sides: 2^128 networks in 128 nodes.
    const nodeCount = 128;
    const tree = Buffer.alloc(nodeCount * 6);
    for (let node = 0; node < nodeCount; node++)
      for (const at of [node * 6, node * 6 + 3])
        tree.writeUIntBE(node + 1 < nodeCount ? node + 1 : nodeCount + 16, at, 3);
    const shared = {
      ...metadata,
      nodeCount,
      recordSize: 24 as const,
      searchTreeSize: tree.length,
      dataEnd: tree.length + 32,
    };
    const hostile = { ...database, tree: { ...database.tree, bytes: Buffer.concat([tree, bytes]), metadata: shared } };
    expect(() => reportOf({ loaded: [hostile] })).to.throw(/shared by too many/);
  });
});
