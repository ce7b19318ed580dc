import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { Header } from "tar";
import {
  ASN,
  CITY,
  cityEdition,
  cityFile,
  edition,
  FILES,
  type MaxmindFixture,
  openMaxmind,
  packArchive,
  placelessFile,
} from "../../testing/maxmind-fixture.ts";

describe("fetchGeoData from MaxMind, with unusable data", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());

  const serveArchives = (serve: (res: ServerResponse, body: Buffer) => void) => {
    let requests = 0;
    maxmind.server.behavior.storage = (req, res, body) => {
      if (req.method === "HEAD" || !(req.url ?? "").includes(".tar.gz?")) return false;
      requests++;
      serve(res, body);
      return true;
    };
    return () => requests;
  };
  it("refuses an archive whose SHA-256 differs, without retrying", async () => {
    const archives = serveArchives((res, body) => res.end(Buffer.concat([body, Buffer.from("x")])));
    expect(await maxmind.refused()).to.match(/GeoLite2-City 20260628 isn't what MaxMind published \(SHA-256 differs\)/);
    expect(archives()).to.equal(1);
  });

  for (const [what, text] of [
    ["empty", ""],
    ["a page", "<html>"],
    ["of another edition", `${"a".repeat(64)}  GeoLite2-ASN_20260628.tar.gz`],
    ["endless", "a".repeat(5_000)],
  ] as const)
    it(`refuses a checksum that is ${what}`, async () => {
      maxmind.server.behavior.checksum = () => text;
      expect(await maxmind.refused()).to.match(/didn't return the SHA-256 of GeoLite2-City/);
      expect(maxmind.server.downloads()).to.equal(2);
    });

  const database = cityFile("Secondtown");
  const archives: [string, readonly (readonly [string, Buffer | string])[], RegExp][] = [
    ["without a database", [["GeoLite2-City_20260628/README.txt", "x"]], /contains 0 files named GeoLite2-City\.mmdb/],
    ["whose database is outside it", [["../GeoLite2-City.mmdb", database]], /contains 0 files/],
    [
      "with two databases",
      [
        ["a/GeoLite2-City.mmdb", database],
        ["b/GeoLite2-City.mmdb", database],
      ],
      /contains 2 files/,
    ],
    [
      "whose database is of another type",
      [["a/GeoLite2-City.mmdb", cityFile("Town", { databaseType: "GeoLite2-Country" })]],
      /says that it is "GeoLite2-Country"/,
    ],
    ["whose database is truncated", [["a/GeoLite2-City.mmdb", database.subarray(0, 200)]], /cannot be used/],
  ];
  for (const [what, files, expected] of archives)
    it(`refuses an archive ${what}`, async () => {
      const release = cityEdition("20260628", "Secondtown");
      maxmind.editions[CITY] = { ...release, archive: packArchive(files) };
      expect(await maxmind.refused()).to.match(expected);
    });

  it("refuses an archive that unpacks to more than fits in memory", async () => {
    const header = new Header({ path: "a/GeoLite2-City.mmdb", size: 2 ** 31, mode: 0o644, type: "File" });
    header.encode();
    const release = cityEdition("20260628", "Secondtown");
    maxmind.editions[CITY] = { ...release, archive: gzipSync(header.block as Buffer) };
    expect(await maxmind.refused()).to.match(/too large|can't be unpacked/);
  });

  it("refuses an invalid or truncated archive, even with the correct hash", async () => {
    const release = cityEdition("20260628", "Secondtown");
    for (const archive of [Buffer.from("<html>"), release.archive.subarray(0, release.archive.length - 100)]) {
      maxmind.editions[CITY] = { ...release, archive };
      expect(await maxmind.refused()).to.match(/can't be unpacked|contains 0 files/);
    }
  });

  it("refuses data with far fewer places than the data in use, unless forced", async () => {
    maxmind.editions[CITY] = edition(CITY, "20260628", cityFile("Secondtown", { network: "20.0.0.0/8" }));
    expect(await maxmind.refused()).to.match(
      /the new data knows the countries of \d+ of 4096 sample addresses, the data in use of \d{4}/,
    );
    expect(await maxmind.refused()).to.match(/--force installs it/);
    expect(maxmind.server.downloads(), "it waits for a decision, downloaded").to.equal(3);
    await maxmind.run({ refetch: "force" });
    expect(maxmind.city()).to.equal("Secondtown");
  });

  it("refuses data without places, unless forced", async () => {
    maxmind.editions[CITY] = edition(CITY, "20260628", placelessFile());
    expect(await maxmind.refused()).to.match(
      /the new data has no locations, unlike the data in use; .*--force installs it/,
    );
    await maxmind.run({ refetch: "force" });
    expect(maxmind.current()).to.have.property("version", "v2");
  });

  it("accepts other editions with fewer places, because an operator chose them", async () => {
    await maxmind.run({ editions: [CITY] });
    expect(maxmind.files()).to.deep.equal(["GeoLite2-City.mmdb", "sources.json"]);
    await maxmind.run({ editions: [CITY, ASN], refetch: "update" });
    expect(maxmind.files()).to.deep.equal(FILES);
    expect(maxmind.city()).to.equal("Secondtown");
  });

  it("refuses an edition whose hash isn't available, before any is used", async () => {
    const asn = maxmind.editions[ASN];
    const hash = createHash("sha256").update("another").digest("hex");
    maxmind.server.behavior.checksum = (text) => (text.includes(ASN) ? `${hash}  ${ASN}_20260629.tar.gz` : text);
    if (asn) asn.lastModified = "Mon, 29 Jun 2026 12:00:00 GMT";
    expect(await maxmind.refused()).to.match(/GeoLite2-ASN 20260629 isn't what MaxMind published/);
  });
});
