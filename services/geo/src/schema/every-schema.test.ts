import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { openDatabase } from "../databases/database.ts";
import { createLocate } from "../lookup/locate.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { SCHEMA_CASES } from "../testing/schema-cases.ts";

describe("every schema", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "geolookup-schema-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [index, { databaseType, ipVersion, fileName, record, expected }] of SCHEMA_CASES.entries())
    it(`reads every field of ${databaseType} (${index})`, async () => {
      const path = join(folder, fileName ?? "some.mmdb");
      const entries = [["81.2.69.0/24", record]] as const;
      await writeFile(path, buildMmdb({ databaseType, ipVersion: ipVersion ?? 6, recordSize: 24, entries }));
      const locate = createLocate([(await openDatabase(path)).database], (_, error) => {
        throw error;
      });
      expect(locate.place("81.2.69.142")).to.deep.equal({ place: { ...UNKNOWN_PLACE, ...expected }, reason: "found" });
    });

  it("refuses another layout of a known type, and says what it has and which ones are supported", async () => {
    const path = join(folder, "some.mmdb");
    const entries = [["81.2.69.0/24", { hosting: "true", vpn: "" }]] as const;
    await writeFile(
      path,
      buildMmdb({ databaseType: "ipinfo standard_privacy.mmdb", ipVersion: 6, recordSize: 24, entries }),
    );
    expect(await openDatabase(path).catch(({ message }) => message))
      .to.include(
        'in the layout "ipinfo"; they have hosting, vpn; replace it with one of the supported databases: MaxMind',
      )
      .and.not.include("good copy");
  });

  it("reads IPv4 below ::ffff:0:0/96, if it is only there", async () => {
    const path = join(folder, "mapped.mmdb");
    const entries = [
      ["::ffff:81.2.69.0/120", { country: { iso_code: "NZ" } }],
      ["2a0a::/16", { country: { iso_code: "FR" } }],
    ] as const;
    await writeFile(path, buildMmdb({ databaseType: "GeoLite2-Country", ipVersion: 6, recordSize: 24, entries }));
    const locate = createLocate([(await openDatabase(path)).database], () => {});
    const countries = ["81.2.69.142", "81.2.70.1", "::ffff:81.2.69.142", "2a0a::1"].map((ip) => locate.place(ip).place);
    expect(countries.map(({ country }) => country)).to.deep.equal(["NZ", null, "NZ", "FR"]);
    expect(locate.prefixLength("81.2.69.142")).to.equal(24);
  });

  it("refuses another type, and says which ones are supported", async () => {
    const path = join(folder, "some.mmdb");
    const entries = [["81.2.69.0/24", { anonymous: true }]] as const;
    await writeFile(path, buildMmdb({ databaseType: "GeoIP2-Anonymous-IP", ipVersion: 6, recordSize: 24, entries }));
    const refusal = await openDatabase(path).catch(({ message }) => message);
    expect(refusal).to.include(
      'its type "GeoIP2-Anonymous-IP" is not one this service can read; replace it with one of the supported databases: MaxMind',
    );
    for (const vendor of ["MaxMind", "DB-IP", "IPinfo", "IP2Location LITE", "ip-location-db"])
      expect(refusal).to.include(vendor);
  });
});
