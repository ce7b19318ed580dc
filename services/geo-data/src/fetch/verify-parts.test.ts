import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { expect } from "chai";
import { rollBack } from "../store/rollback.ts";
import { ASN, CITY, cityEdition, edition, type MaxmindFixture, openMaxmind } from "../testing/maxmind-fixture.ts";

/** A release whose only town has half of all addresses, in a country, with a build day. */
const release = (date: string, country: string, builtMs: number) =>
  edition(
    CITY,
    date,
    buildMmdb({
      databaseType: CITY,
      ipVersion: 6,
      recordSize: 28,
      entries: [["0.0.0.0/1", { country: { iso_code: country }, city: { names: { en: "Town" } } }]],
      buildUnixSeconds: builtMs / 1_000,
    }),
  );
const MAY = Date.UTC(2026, 4, 1);
const JULY = Date.UTC(2026, 6, 1);

describe("an update compared with the data that it replaces", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
    await maxmind.run({ editions: [CITY] });
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());
  const update = { editions: [CITY], refetch: "update" } as const;
  const publish = (date: string, country: string, builtMs: number) => {
    maxmind.editions[CITY] = release(date, country, builtMs);
  };

  it("refuses an older build and other countries, keeps the download, and installs it if forced", async () => {
    publish("20260628", "NZ", MAY);
    expect(await maxmind.failure(update)).to.match(
      /^the new GeoLite2-City.mmdb was built 2026-05-01, before .*--force installs it.*the old data stays in use$/,
    );
    publish("20260701", "FR", JULY);
    for (let run = 0; run < 2; run++)
      expect(await maxmind.failure(update)).to.match(/countries of the previous one for only 0 of \d+ sample/);
    expect([maxmind.current().version, maxmind.city()]).to.deep.equal(["v1", "Firsttown"]);
    expect(maxmind.server.downloads(), "each release once").to.equal(3);
    await maxmind.run({ ...update, refetch: "force" });
    expect([maxmind.current().version, maxmind.city()]).to.deep.equal(["v2", "Town"]);
    expect(maxmind.versions(), "the previous version is kept").to.deep.equal(["v1", "v2"]);
  });

  it("compares with the newest version from the same source, whether or not it is in use", async () => {
    await maxmind.run({ editions: [ASN], refetch: "update" });
    expect(maxmind.files(), "first data of a source").to.include("GeoLite2-ASN.mmdb");
    publish("20260628", "NZ", MAY);
    expect(await maxmind.failure(update)).to.match(/built 2026-05-01, before the previous one \(2026-06-20\)/);
  });

  it("doesn't compare with a version that was rolled back", async () => {
    publish("20260701", "NZ", JULY);
    await maxmind.run(update);
    await rollBack(maxmind.folder, { to: null, takesLess: false }, () => {});
    maxmind.editions[CITY] = cityEdition("20260702", "Thirdtown");
    await maxmind.run(update);
    expect(maxmind.city(), "built before July, after the version in use").to.equal("Thirdtown");
  });
});
