import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import {
  asnEdition,
  CITY,
  cityEdition,
  FILES,
  type MaxmindFixture,
  openMaxmind,
} from "../../testing/maxmind-fixture.ts";

describe("fetchGeoData from MaxMind", () => {
  let maxmind: MaxmindFixture;
  beforeEach(async () => {
    maxmind = await openMaxmind();
  });
  afterEach(() => maxmind[Symbol.asyncDispose]());

  it("installs City and ASN together, and records their sources", async () => {
    await maxmind.run();
    expect(maxmind.files()).to.deep.equal(FILES);
    expect(maxmind.city()).to.equal("Firsttown");
    const [city, asn] = maxmind.sources();
    expect(maxmind.current()).to.deep.equal({
      version: "v1",
      databases: ["GeoLite2-City.mmdb", "GeoLite2-ASN.mmdb"],
      checked: {
        check: 1,
        kindsBySha256: { [city.files[0].sha256]: ["places"], [asn.files[0].sha256]: ["networks"] },
      },
    });
    expect(city).to.deep.include({
      name: CITY,
      version: "20260620",
      licence: "GeoLite End User License Agreement, https://www.maxmind.com/en/geolite/eula", // cspell:ignore licence
      attribution: "This product includes GeoLite data created by MaxMind, available from https://www.maxmind.com",
      attributionUrl: "https://www.maxmind.com",
      lastModified: "Sat, 20 Jun 2026 12:00:00 GMT",
    });
    expect(city.files[0]).to.include({ name: "GeoLite2-City.mmdb", buildUnixSeconds: Date.UTC(2026, 5, 20) / 1_000 });
    expect([...maxmind.leftovers(), ...maxmind.staged()]).to.deep.equal([]);
  });

  it("checks data installed by an earlier version once", async () => {
    await maxmind.run();
    const path = `${maxmind.folder}/current.json`;
    const { checked, ...before } = maxmind.current();
    writeFileSync(path, JSON.stringify({ ...before, checked: { ...checked, check: 0 } }));
    await maxmind.run();
    expect(maxmind.current()).to.deep.equal({ ...before, checked });
    expect(maxmind.said.at(-1)).to.match(/checking v1 once/);
    writeFileSync(path, JSON.stringify(before));
    await maxmind.run();
    expect(maxmind.current()).to.deep.equal({ ...before, checked });
    const said = maxmind.said.length;
    await maxmind.run();
    expect(maxmind.said.slice(said).join()).to.not.match(/checking/);
  });

  it("sends the credentials to MaxMind, and not to the host it redirects to", async () => {
    await maxmind.run();
    await maxmind.run({ refetch: "update" });
    expect(maxmind.server.asked).to.have.length(6);
    expect(new Set(maxmind.server.asked.map(({ authorization }) => authorization))).to.deep.equal(
      new Set([`Basic ${Buffer.from("42:invented_license_key").toString("base64")}`]),
    );
    expect(maxmind.server.stored).to.have.length(6);
    expect(maxmind.server.stored.filter(({ authorization }) => authorization !== undefined)).to.deep.equal([]);
  });

  it("sends no request if the data is there, and downloads nothing if it is the newest", async () => {
    await maxmind.run();
    const asked = maxmind.server.asked.length;
    await maxmind.run();
    expect(maxmind.server.asked).to.have.length(asked);
    await maxmind.run({ refetch: "update" });
    expect(maxmind.server.asked.slice(asked).map(({ method }) => method)).to.deep.equal(["HEAD", "HEAD"]);
    expect(maxmind.said.at(-1)).to.match(/already installed and up to date: v1/);
    expect(maxmind.server.downloads()).to.equal(2);
    expect(maxmind.versions()).to.deep.equal(["v1"]);
  });

  for (const [what, response] of [
    ["responds with 304", 304],
    ["responds with 200 and the same Last-Modified", 200],
  ] as const)
    it(`treats an edition as unchanged if MaxMind ${what} to a HEAD request`, async () => {
      await maxmind.run();
      maxmind.server.behavior.storage = (req, res) => {
        if (req.method !== "HEAD") return false;
        const name = (req.url ?? "").slice(1).split(".")[0] ?? "";
        res
          .writeHead(response, response === 200 ? { "last-modified": maxmind.editions[name]?.lastModified } : {})
          .end();
        return true;
      };
      const asked = maxmind.server.asked.length;
      await maxmind.run({ refetch: "update" });
      expect(maxmind.server.asked.slice(asked).map(({ method }) => method)).to.deep.equal(["HEAD", "HEAD"]);
      expect(maxmind.versions()).to.deep.equal(["v1"]);
    });

  it("downloads nothing if the date is newer but the hash is the same", async () => {
    await maxmind.run();
    const city = maxmind.editions[CITY];
    if (city) city.lastModified = new Date(Date.UTC(2026, 5, 25)).toUTCString();
    await maxmind.run({ refetch: "update" });
    expect(maxmind.server.downloads()).to.equal(2);
  });

  it("updates only newer editions, and keeps the previous version", async () => {
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
    await maxmind.run({ refetch: "update" });
    expect(maxmind.city()).to.equal("Secondtown");
    expect(maxmind.files()).to.deep.equal(FILES);
    expect(maxmind.versions()).to.deep.equal(["v1", "v2"]);
    expect(maxmind.server.downloads()).to.equal(3);
    maxmind.editions[CITY] = cityEdition("20260629", "Thirdtown");
    await maxmind.run({ refetch: "update" });
    expect(maxmind.versions()).to.deep.equal(["v2", "v3"]);
  });

  it("keeps the previous version intact if a file in use is damaged", async () => {
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
    const asn = readFileSync(maxmind.pathOf("GeoLite2-ASN.mmdb"));
    await maxmind.run({ refetch: "update" });
    writeFileSync(maxmind.pathOf("GeoLite2-ASN.mmdb"), "damaged");
    expect(readFileSync(maxmind.pathOf("../v1/GeoLite2-ASN.mmdb")).equals(asn)).to.equal(true);
  });

  it("doesn't download a part twice while another isn't available", async () => {
    const asn = maxmind.editions["GeoLite2-ASN"];
    delete maxmind.editions["GeoLite2-ASN"];
    expect(await maxmind.failure()).to.match(/MaxMind has no edition GeoLite2-ASN \(404\)/);
    expect(maxmind.versions()).to.deep.equal([]);
    maxmind.editions["GeoLite2-ASN"] = asn ?? asnEdition("20260621", "Net");
    maxmind.server.behavior.storage = (req, res, body) => {
      if (!(req.url ?? "").startsWith("/GeoLite2-ASN.tar.gz?")) return false;
      res.setHeader("content-length", body.length).write(body.subarray(0, 10), () => res.destroy());
      return true;
    };
    await maxmind.failure();
    expect(maxmind.staged()).to.deep.equal(["staged-GeoLite2-City"]);
    maxmind.server.behavior.storage = () => false;
    const before = maxmind.server.downloads();
    await maxmind.run();
    expect(maxmind.server.downloads()).to.equal(before + 1);
    expect(maxmind.said).to.include("GeoLite2-City 20260620 was already downloaded");
    expect(maxmind.files()).to.deep.equal(FILES);
  });

  it("says in one line how old data is after an update, and leaves it to the service after a start", async () => {
    maxmind.clock.now = Date.UTC(2026, 7, 5);
    await maxmind.run();
    await maxmind.run();
    expect(maxmind.said.join()).to.not.match(/days/);
    await maxmind.run({ refetch: "update" });
    expect(maxmind.said.filter((line) => line.includes("days old"))).to.have.length(1);
    expect(maxmind.said.at(-1)).to.match(/^the geo data is 46 days old, and its source has nothing newer/);
  });

  it("removes GeoLite data 30 days after it was replaced, as its license requires", async () => {
    await maxmind.run();
    maxmind.editions[CITY] = cityEdition("20260628", "Secondtown");
    await maxmind.run({ refetch: "update" });
    maxmind.clock.now += 30 * 86_400_000;
    await maxmind.run({ refetch: "update" });
    expect(maxmind.versions()).to.deep.equal(["v1", "v2"]);
    maxmind.clock.now += 1;
    await maxmind.run({ refetch: "update" });
    expect(maxmind.versions()).to.deep.equal(["v2"]);
  });

  it("isn't replaced by free data if the credentials are missing", async () => {
    await maxmind.run();
    await maxmind.runWithoutAccount("no");
    expect(maxmind.said.at(-1)).to.match(/without MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY it isn't updated/);
    for (const damage of [() => {}, () => writeFileSync(maxmind.pathOf("GeoLite2-City.mmdb"), "")]) {
      damage();
      const error = await maxmind.runWithoutAccount("update").catch((reason: Error) => reason.message);
      expect(error).to.match(/set MAXMIND_ACCOUNT_ID and MAXMIND_LICENSE_KEY .*--force/);
    }
    expect(maxmind.versions()).to.deep.equal(["v1"]);
  });
});
