import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { readConfig, readFolder } from "./config.ts";

const CREDENTIALS = { MAXMIND_ACCOUNT_ID: "42", MAXMIND_LICENSE_KEY: "invented_license_key" };

describe("the geo data commands' configuration", () => {
  it("defaults to free data in data/geo", () => {
    expect(readFolder({})).to.equal("data/geo");
    expect(readConfig({})).to.deep.equal({
      source: "auto",
      mirror: null,
      isRefreshed: true,
      registry: "https://registry.npmjs.org/",
      maxmind: null,
    });
  });

  it("uses MaxMind's GeoLite2 City and ASN if credentials are set, including a key from a file", () => {
    const expected = {
      accountId: "42",
      licenseKey: "invented_license_key",
      editions: ["GeoLite2-City", "GeoLite2-ASN"],
      url: "https://download.maxmind.com",
    };
    expect(readConfig(CREDENTIALS).maxmind).to.deep.equal(expected);
    const file = join(tempFolder(), "key");
    writeFileSync(file, "invented_license_key\n", { mode: 0o600 });
    expect(readConfig({ MAXMIND_ACCOUNT_ID: "42", MAXMIND_LICENSE_KEY_FILE: file }).maxmind).to.deep.equal(expected);
    const bought = readConfig({ ...CREDENTIALS, MAXMIND_EDITIONS: "GeoIP2-City, GeoIP2-ISP" });
    expect(bought.maxmind?.editions).to.deep.equal(["GeoIP2-City", "GeoIP2-ISP"]);
  });

  it("can name one source, at its publisher or a mirror", () => {
    const mirror = { GEO_DATA_SOURCE: "dbip", GEO_DATA_URL: "http://mirror.example/geo/", GEO_DATA_REFRESH: "off" };
    expect(readConfig(mirror)).to.include({ source: "dbip", mirror: "http://mirror.example/geo", isRefreshed: false });
    expect(readConfig({ GEO_DATA_SOURCE: "sapics" })).to.include({ source: "sapics", mirror: null });
    expect(readConfig({ ...CREDENTIALS, GEO_DATA_SOURCE: "maxmind" }).maxmind?.accountId).to.equal("42");
  });

  for (const [what, environment, complaint] of [
    ["a source that doesn't exist", { GEO_DATA_SOURCE: "atlas" }, /GEO_DATA_SOURCE: must be one of auto, dbip, sapics/],
    ["MaxMind without an account", { GEO_DATA_SOURCE: "maxmind" }, /GEO_DATA_SOURCE: maxmind needs an account/],
    [
      "a mirror without a source",
      { GEO_DATA_URL: "https://mirror.example" },
      /GEO_DATA_URL: is a mirror of one source/,
    ],
    ["a mirror that isn't a URL", { GEO_DATA_SOURCE: "dbip", GEO_DATA_URL: "/srv" }, /GEO_DATA_URL: must be/],
    ["a refresh that is neither on nor off", { GEO_DATA_REFRESH: "daily" }, /GEO_DATA_REFRESH: must be on or off/],
    ["an account without a key", { MAXMIND_ACCOUNT_ID: "42" }, /belong together: set both, or neither/],
    ["a key without an account", { MAXMIND_LICENSE_KEY: "invented_license_key" }, /belong together/],
    ["an account that isn't a number", { ...CREDENTIALS, MAXMIND_ACCOUNT_ID: "me@x" }, /MAXMIND_ACCOUNT_ID: must be/],
    ["a key with a blank", { ...CREDENTIALS, MAXMIND_LICENSE_KEY: "not shown" }, /MAXMIND_LICENSE_KEY: must be/],
    ["a key file that is missing", { MAXMIND_LICENSE_KEY_FILE: "/no/such/file" }, /MAXMIND_LICENSE_KEY_FILE: cannot/],
    ["a key twice", { ...CREDENTIALS, MAXMIND_LICENSE_KEY_FILE: "x" }, /set both directly and by/],
    ["no edition", { ...CREDENTIALS, MAXMIND_EDITIONS: "," }, /MAXMIND_EDITIONS: must name/],
    ["an edition that cannot be read", { ...CREDENTIALS, MAXMIND_EDITIONS: "GeoIP2-Anonymous-IP" }, /must be editions/],
    ["an edition elsewhere", { ...CREDENTIALS, MAXMIND_EDITIONS: "GeoIP2-City/../x" }, /must be editions/],
  ] as const)
    it(`refuses ${what}, without showing the key`, () => {
      expect(() => readConfig(environment))
        .to.throw(StartError, complaint)
        .with.property("message")
        .that.does.not.match(/not shown|invented_license_key/);
    });
});
