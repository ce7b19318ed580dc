import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

describe("readConfig of the portal", () => {
  it("needs nothing", () => {
    const config = readConfig({});
    expect(config).to.deep.include({ port: 8082, docsUrl: null, apiUrl: null, demoKey: null, geoUrl: null });
    expect(config.keyless).to.deep.equal({ hourlyLimit: 60, ipv6Prefix: 64 });
  });

  it("takes what the gateways are told about requests without a key", () => {
    expect(readConfig({ KEYLESS_LIMIT: "5", IPV6_LIMIT_PREFIX: "56" }).keyless).to.deep.equal({
      hourlyLimit: 5,
      ipv6Prefix: 56,
    });
    expect(readConfig({ KEYLESS: "off" }).keyless.hourlyLimit).to.equal(null);
  });

  it("names every bad variable at once", () => {
    const environment = { API_URL: "geo.example.com", GEO_URL: "http://geo", KEYLESS_LIMIT: "many" };
    expect(() => readConfig(environment))
      .to.throw(StartError)
      .with.property("message")
      .that.matches(/API_URL/)
      .and.matches(/GEO_URL/)
      .and.matches(/KEYLESS_LIMIT/);
  });

  it("takes no secret key for the demo's, and does not show what it was given", () => {
    const key = `geo_sk_${"a".repeat(50)}`;
    expect(() => readConfig({ DEMO_KEY: key }))
      .to.throw(StartError, /DEMO_KEY: must be a publishable key/)
      .with.property("message")
      .that.does.not.include("aaa");
  });
});
