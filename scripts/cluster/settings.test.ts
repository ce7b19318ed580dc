import { resolve } from "node:path";
import { expect } from "chai";
import { readClusterSettings } from "./settings.ts";

describe("readClusterSettings", () => {
  it("by default, one of each, with their own stores, in data/cluster", () => {
    const settings = readClusterSettings({});
    expect(settings).to.deep.include({
      stores: "cluster",
      counts: { gateway: 1, auth: 1, geo: 1, usage: 1 },
      folder: resolve("data/cluster"),
      port: 8080,
      signingKeysFile: resolve("data/cluster/signing-keys.json"),
    });
    expect(settings.adminToken).to.have.length.of.at.least(16);
    expect(settings.ipHashSecret).to.not.equal(settings.adminToken);
  });

  it("reads the number of processes of each service", () => {
    const { counts } = readClusterSettings({ GATEWAYS: "2", AUTH: "3", GEO: "4", USAGE: "5" });
    expect(counts).to.deep.equal({ gateway: 2, auth: 3, geo: 4, usage: 5 });
  });

  it("shares the port of several gateways on Linux, unless each gets a free one", () => {
    const sharesPort = (environment: Record<string, string>) => readClusterSettings(environment).sharesPort;
    expect(sharesPort({ GATEWAYS: "2" })).to.equal(process.platform === "linux");
    expect(sharesPort({})).to.equal(false);
    expect(sharesPort({ GATEWAYS: "2", PORT: "0" })).to.equal(false);
  });

  it("passes the environment on, secrets by value", () => {
    const { environment } = readClusterSettings({ LOG_LEVEL: "debug", GEO_DATABASES: "a.mmdb", PATH: "/bin" });
    expect(environment).to.deep.equal({ LOG_LEVEL: "debug", GEO_DATABASES: "a.mmdb", PATH: "/bin" });
    expect(readClusterSettings({ INTERNAL_TLS: "on", INTERNAL_TLS_CA_FILE: "other.pem" })).to.deep.include({
      environment: {},
      internalTlsFolder: resolve("data/cluster/internal-tls"),
    });
    expect(() => readClusterSettings({ ADMIN_TOKEN_FILE: "/no/such/file" })).to.throw(/ADMIN_TOKEN_FILE/);
  });

  for (const [environment, complaint] of [
    [{ GATEWAYS: "0" }, /GATEWAYS: must be a whole number from 1 to 32/],
    [{ GEO: "many" }, /GEO: must be/],
    [{ STORES: "elsewhere" }, /STORES: must be cluster or embedded/],
    [{ GEOFEED_URLS: "http://isp.example/feed.csv" }, /GEOFEED_URLS: must be https:\/\/ URLs/],
    [{ STORES: "embedded", GATEWAYS: "2" }, /with STORES=embedded there can be one of each/],
  ] as const)
    it(`refuses ${JSON.stringify(environment)}`, () => {
      expect(() => readClusterSettings(environment)).to.throw(complaint);
    });
});
