import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openDatabase } from "../databases/database.ts";
import type { MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { temporaryFolder } from "../testing/fixtures.ts";
import { geofeedOf } from "../testing/geofeed-of.ts";
import { FLAT, NETWORK } from "../testing/records.ts";
import { createLocate } from "./locate.ts";

describe("the prefix length of a network with one record", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder("prefix-length");
  });
  after(() => folder.remove());

  const open = async (
    databaseType: string,
    entries: readonly (readonly [network: string, record: MmdbValue])[],
    ipVersion: 4 | 6 = 6,
  ) => {
    const path = join(folder.path, `${databaseType}-${ipVersion}.mmdb`);
    writeFileSync(path, buildMmdb({ databaseType, ipVersion, recordSize: 24, entries }));
    return (await openDatabase(path)).database;
  };

  it("covers all databases and geofeeds", async () => {
    const cities = await open("city", [
      ["81.2.0.0/16", FLAT],
      ["2a00:1450::/32", FLAT],
      ["2a00:1450:7:1::/64", { ...FLAT, city: "Another" }],
      ["2002::/16", FLAT],
    ]);
    const networks = await open("asn", [["81.2.69.0/25", NETWORK]]);
    const geofeed = await geofeedOf("81.2.70.7,FR\n81.2.71.0/24,FR\n");
    const locate = createLocate([cities, networks], () => {}, geofeed);
    const expected: Record<string, number> = {
      "81.2.68.1": 24,
      "81.2.69.1": 27,
      "81.2.69.200": 27,
      "81.2.70.1": 0,
      "81.2.70.32": 27,
      "81.2.71.1": 24,
      "2a00:1450:8::1": 48,
      "2a00:1450:7::1": 0,
      // No source has them.
      "99.0.0.1": 24,
      "2a00:1451::1": 48,
      // 81.2.68.1 in 6to4. Its /48 has this one address.
      "2002:5102:4401::1": 0,
      "127.0.0.1": 0,
      "2001:db8::1": 0,
    };
    for (const [ip, prefixLength] of Object.entries(expected))
      expect(locate.prefixLength(ip), ip).to.equal(prefixLength);
  });

  it("of an IPv4 database", async () => {
    const locate = createLocate([await open("city", [["81.2.69.0/25", FLAT]], 4)], () => {});
    expect([locate.prefixLength("81.2.68.1"), locate.prefixLength("81.2.69.1")]).to.deep.equal([24, 27]);
  });
});
