import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
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
  type RunOptions,
} from "../../testing/maxmind-fixture.ts";

describe("fetchGeoData from MaxMind, with unusable data", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());

  /** Runs an update that fails, and checks that nothing has changed. */
  async function refused(options: RunOptions = {}): Promise<string> {
    const before = FILES.map((file) => readFileSync(maxmind.pathOf(file)).toString("base64"));
    const message = await maxmind.failure({ refetch: "update", ...options });
    expect(maxmind.versions()).to.deep.equal(["v1"]);
    expect(maxmind.current()).to.have.property("version", "v1");
    expect(FILES.map((file) => readFileSync(maxmind.pathOf(file)).toString("base64"))).to.deep.equal(before);
    expect(maxmind.leftovers()).to.deep.equal([]);
    expect(message + maxmind.said.join()).to.not.match(/invented_license_key|signature=secret|NDI6/);
    return message;
  }
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
  const respondToAll = (status: number, headers: Record<string, string> = {}) => {
    let requests = 0;
    maxmind.server.behavior.service = (_req, res) => {
      requests++;
      res.writeHead(status, headers).end("in words");
      return true;
    };
    return () => requests;
  };

  it("refuses an archive whose SHA-256 differs, without retrying", async () => {
    const archives = serveArchives((res, body) => res.end(Buffer.concat([body, Buffer.from("x")])));
    expect(await refused()).to.match(/GeoLite2-City 20260628 isn't what MaxMind published \(SHA-256 differs\)/);
    expect(archives()).to.equal(1);
  });

  it("refuses a truncated archive, with or without a Content-Length", async () => {
    const archives = serveArchives((res, body) => {
      res.setHeader("content-length", body.length);
      res.write(body.subarray(0, body.length / 2), () => res.destroy());
    });
    expect(await refused()).to.match(/cannot download .*GeoLite2-City.*check the network/);
    expect(archives()).to.equal(2);
    serveArchives((res, body) => res.end(body.subarray(0, body.length / 2)));
    expect(await refused()).to.match(/SHA-256 differs/);
  });

  for (const [what, text] of [
    ["empty", ""],
    ["a page", "<html>"],
    ["of another edition", `${"a".repeat(64)}  GeoLite2-ASN_20260628.tar.gz`],
    ["endless", "a".repeat(5_000)],
  ] as const)
    it(`refuses a checksum that is ${what}`, async () => {
      maxmind.server.behavior.checksum = () => text;
      expect(await refused()).to.match(/didn't return the SHA-256 of GeoLite2-City/);
      expect(maxmind.server.downloads()).to.equal(2);
    });

  it("reports wrong credentials, and doesn't retry them", async () => {
    const asked = maxmind.server.asked.length;
    expect(await refused({ licenseKey: "another_license_key" })).to.match(
      /does not accept MAXMIND_ACCOUNT_ID with MAXMIND_LICENSE_KEY \(401\)/,
    );
    expect(maxmind.server.asked).to.have.length(asked + 1);
  });

  it("reports an edition that the account isn't allowed to download", async () => {
    respondToAll(403);
    expect(await refused()).to.match(/isn't allowed to download GeoLite2-City \(403\)/);
  });

  it("waits as long as a 429 asks for, if that is short", async () => {
    let requests = 0;
    maxmind.server.behavior.service = (_req, res) => {
      if (requests++ > 0) return false;
      res.writeHead(429, { "retry-after": "0" }).end();
      return true;
    };
    await maxmind.run({ refetch: "update" });
    expect(maxmind.city()).to.equal("Secondtown");
  });

  for (const [what, retryAfter] of [
    ["seconds", "7200"],
    ["a date", "Wed, 01 Jul 2026 02:00:00 GMT"],
  ] as const)
    it(`says when to retry if a 429 asks for a long wait, in ${what}`, async () => {
      const requests = respondToAll(429, { "retry-after": retryAfter });
      expect(await refused()).to.match(
        /responded with 429 and asks to wait; run it again after 2026-07-01T02:00:00\.000Z$/,
      );
      expect(requests()).to.equal(1);
    });

  it("doesn't wait forever if 429s keep asking for short waits", async () => {
    const requests = respondToAll(429, { "retry-after": "0" });
    expect(await refused()).to.match(/run it again after 2026-07-01T00:00:00\.000Z$/);
    expect(requests()).to.equal(2);
  });

  it("treats a 429 without Retry-After as the daily limit", async () => {
    const requests = respondToAll(429);
    expect(await refused()).to.match(/daily download limit is reached \(429\); try again tomorrow/);
    expect(requests()).to.equal(1);
  });

  it("retries after 5xx, and eventually gives up", async () => {
    const requests = respondToAll(502);
    expect(await refused()).to.match(/MaxMind responded with 502; check the network/);
    expect(requests()).to.equal(2);
  });

  it("gives up on a redirect loop", async () => {
    maxmind.server.behavior.service = (req, res) => {
      res.writeHead(302, { location: req.url }).end();
      return true;
    };
    expect(await refused()).to.match(/redirect/);
  });

  it("refuses an archive that is too large, before it fills the disk", async () => {
    for (const announced of [true, false]) {
      let sent = 0;
      serveArchives((res) => {
        if (announced) res.setHeader("content-length", 50_000_000);
        const more = () => {
          while (!res.destroyed && sent < 50_000_000 && res.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        res.on("drain", more);
        more();
      });
      expect(await refused()).to.match(/the download is longer than 1000000 bytes/);
      expect(sent).to.be.below(50_000_000);
    }
  });

  const database = cityFile("Secondtown");
  const archives: [string, readonly (readonly [string, Buffer | string])[], RegExp][] = [
    ["without a database", [["GeoLite2-City_20260628/README.txt", "x"]], /contains 0 files named GeoLite2-City\.mmdb/],
    [
      "with another edition's database",
      [["GeoLite2-City_20260628/GeoLite2-Country.mmdb", database]],
      /contains 0 files/,
    ],
    ["whose database is outside it", [["../GeoLite2-City.mmdb", database]], /contains 0 files/],
    ["whose database is far outside it", [["../../../x/GeoLite2-City.mmdb", database]], /contains 0 files/],
    ["whose database has an absolute name", [["/GeoLite2-City.mmdb", database]], /contains 0 files/],
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
      /has the type "GeoLite2-Country"/,
    ],
    ["whose database is cut off", [["a/GeoLite2-City.mmdb", database.subarray(0, 200)]], /cannot be used/],
    ["whose database is something else", [["a/GeoLite2-City.mmdb", "<html>"]], /cannot be used/],
  ];
  for (const [what, files, expected] of archives)
    it(`refuses an archive ${what}`, async () => {
      const release = cityEdition("20260628", "Secondtown");
      maxmind.editions[CITY] = { ...release, archive: packArchive(files) };
      expect(await refused()).to.match(expected);
    });

  it("refuses an archive that unpacks to more than fits in memory", async () => {
    const header = new Header({ path: "a/GeoLite2-City.mmdb", size: 2 ** 31, mode: 0o644, type: "File" });
    header.encode();
    const release = cityEdition("20260628", "Secondtown");
    maxmind.editions[CITY] = { ...release, archive: gzipSync(header.block as Buffer) };
    expect(await refused()).to.match(/too large|can't be unpacked/);
  });

  it("refuses an invalid or truncated archive, even with the correct hash", async () => {
    const release = cityEdition("20260628", "Secondtown");
    for (const archive of [Buffer.from("<html>"), release.archive.subarray(0, release.archive.length - 100)]) {
      maxmind.editions[CITY] = { ...release, archive };
      expect(await refused()).to.match(/can't be unpacked|contains 0 files/);
    }
  });

  it("refuses data with far fewer places than the data in use, unless forced", async () => {
    maxmind.editions[CITY] = edition(CITY, "20260628", cityFile("Secondtown", { network: "20.0.0.0/8" }));
    expect(await refused()).to.match(
      /the new data knows the countries of \d+ of 4096 sample addresses, the data in use of \d{4}/,
    );
    expect(await refused()).to.match(/--force installs it/);
    expect(maxmind.server.downloads(), "it waits for a decision, downloaded").to.equal(3);
    await maxmind.run({ refetch: "force" });
    expect(maxmind.city()).to.equal("Secondtown");
  });

  it("refuses data without places, unless forced", async () => {
    maxmind.editions[CITY] = edition(CITY, "20260628", placelessFile());
    expect(await refused()).to.match(/the new data has no places, unlike the data in use; .*--force installs it/);
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
    expect(await refused()).to.match(/GeoLite2-ASN 20260629 isn't what MaxMind published/);
  });
});
