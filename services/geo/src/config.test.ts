import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

describe("geo configuration", () => {
  it("has defaults for everything", () => {
    expect(readConfig({})).to.deep.equal({
      host: "127.0.0.1",
      port: 50_051,
      opsPort: 9_464,
      logLevel: "info",
      databases: { installedIn: "data/geo", isRefreshed: true },
      geofeeds: { named: [], optional: ["data/geofeeds"], downloaded: "data/geo/geofeeds" },
      acceptsLoss: false,
      internalTls: null,
      mirror: null,
    });
  });

  it("keeps the order of the databases", () => {
    expect(readConfig({ GEO_DATABASES: "b.mmdb, a.mmdb" }).databases).to.deep.equal({
      files: ["b.mmdb", "a.mmdb"],
      kindsFile: "data/geo/kinds.json",
    });
    expect(readConfig({ DATA_DIR: "elsewhere", GEO_DATA_REFRESH: "off" }).databases).to.deep.equal({
      installedIn: "elsewhere/geo",
      isRefreshed: false,
    });
  });

  it("reads geofeeds from the given paths or the default folder, and downloaded ones", () => {
    expect(readConfig({ GEOFEED_FILE: "b.csv, feeds", DATA_DIR: "elsewhere" }).geofeeds).to.deep.equal({
      named: ["b.csv", "feeds"],
      optional: [],
      downloaded: "elsewhere/geo/geofeeds",
    });
  });

  it("takes the data from a geo data server, into a separate folder", () => {
    const { databases, geofeeds, mirror } = readConfig({ DATA_DIR: "d", GEO_DATA_FROM: "http://geo-data:8090/" });
    expect(mirror).to.deep.equal({ server: "http://geo-data:8090", folder: "d/geo-mirror" });
    expect(databases).to.deep.equal({ installedIn: "d/geo-mirror", isRefreshed: true });
    expect(geofeeds.downloaded).to.equal("d/geo-mirror/geofeeds");
    for (const url of ["geo-data:8090", "ftp://geo-data", "http://geo-data/path", "http://user@geo-data", "http://h?q"])
      expect(() => readConfig({ GEO_DATA_FROM: url }), url).to.throw(StartError, /GEO_DATA_FROM: must be/);
    expect(() => readConfig({ GEO_DATA_FROM: "http://geo-data", GEO_DATABASES: "a.mmdb" })).to.throw(
      StartError,
      "GEO_DATA_FROM: can't be combined with GEO_DATABASES",
    );
  });

  it("checks the geofeeds that another process downloads, and doesn't show their URLs' queries", () => {
    expect(() => readConfig({ GEOFEED_URLS: "https://isp.example/feed.csv?token=s3cret" }))
      .to.throw(StartError, /GEOFEED_URLS: must say which prefixes https:\/\/isp\.example\/feed\.csv may correct/)
      .with.property("message")
      .that.not.includes("s3cret");
  });
});
