import { expect } from "chai";
import { double } from "../mmdb/value.ts";
import { NESTED } from "../testing/records.ts";
import { AUCKLAND, GERMANY, reportOf, writeDatabase } from "../testing/report-files.ts";

describe("a report about data, with other databases", () => {
  it("compares places: names without case and accents, regions by code, distances by weight", async () => {
    const place = (city: string, latitude: number, region = "Auckland", code = "AUK") => ({
      ...AUCKLAND,
      city: { names: { en: city } },
      location: { latitude: double(latitude), longitude: double(0) },
      subdivisions: [{ iso_code: code, names: { en: region } }],
    });
    const one = await writeDatabase("GeoLite2-City", [
      ["20.0.0.0/24", place("Zürich", 0)],
      ["20.0.2.0/26", place("Auckland", 0)],
      ["20.0.3.0/24", NESTED],
      ["20.0.4.0/24", GERMANY],
    ]);
    const other = await writeDatabase("GeoLite2-City", [
      ["20.0.0.0/25", place("ZURICH", 1, "Elsewhere", "AUK")],
      ["20.0.0.128/25", place("Zurich", 0, "Auckland", "NTL")],
      ["20.0.2.0/26", place("Hamilton", 90)],
      ["20.0.3.0/24", { ...NESTED, country: { iso_code: "BE" } }],
      ["20.0.5.0/24", NESTED],
    ]);
    const { comparison } = reportOf({ loaded: [one], compared: [other] });
    // A degree of latitude is 111.2 km on a sphere of 6371 km, a quarter of its circumference 10,007.6 km.
    expect(comparison?.all.ipv4).to.deep.equal({
      country: { both: [4, 576], same: [3, 320] },
      region: { both: [4, 576], same: [2, 192] },
      city: { both: [4, 576], same: [2, 256] },
      distance: { both: [4, 576], median: [0, 0], p90: [10_007.6, 10_007.6] },
    });
    expect(comparison?.countries.map(({ name, ipv4 }) => [name, ipv4.city])).to.deep.equal([
      ["NZ", { both: [3, 320], same: [2, 256] }],
      ["FR", { both: [1, 256], same: [0, 0] }],
    ]);
    expect(comparison?.all.ipv6.distance).to.deep.equal({ both: [0, 0], median: [null, null], p90: [null, null] });
  });

  it("counts changes since the previous version", async () => {
    const before = await writeDatabase("GeoLite2-City", [
      ["20.0.0.0/24", NESTED],
      ["20.0.1.0/24", NESTED],
      ["20.0.2.0/24", NESTED],
      ["2a00::/48", NESTED],
    ]);
    const now = await writeDatabase("GeoLite2-City", [
      ["20.0.0.0/24", NESTED],
      ["20.0.1.0/25", { ...NESTED, postal: { code: "35000" } }],
      ["20.0.1.128/25", NESTED],
      ["20.0.3.0/24", GERMANY],
      ["2a00::/48", { ...NESTED, city: { names: { en: "Outport" } } }],
    ]);
    const { changes } = reportOf({ loaded: [now], before: [before] });
    expect(changes?.since).to.equal("v3");
    const { ipv4, ipv6 } = changes?.all ?? {};
    expect(ipv4).to.deep.include({ total: [5, 1_024], changed: [3, 640] });
    expect(ipv4?.fields).to.deep.include({ postalCode: [2, 384], city: [1, 256], country: [2, 512], asn: [0, 0] });
    expect(ipv6).to.deep.include({ total: [1, 1], changed: [1, 1] });
  });

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
