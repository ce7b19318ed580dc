import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "../config.ts";

const GATEWAY = { AUTH_URL: "127.0.0.1:1", GEO_URL: "127.0.0.1:2", STORES: "embedded" };

describe("configuration of the edge port", () => {
  it("has no edge port by default", () => {
    expect(readConfig({ ...GATEWAY, EDGE_HOST: "0.0.0.0", EDGE_HEADERS: "cloudflare" }).edge).to.equal(null);
  });

  it("listens on loopback, without a token or rules, and sends all fields", () => {
    const { edge } = readConfig({ ...GATEWAY, EDGE_PORT: "8090" });
    expect(edge).to.include({
      host: "127.0.0.1",
      port: 8090,
      preset: "geo",
      cacheSeconds: null,
      token: null,
      rules: null,
      grpcPort: null,
    });
    expect(edge?.fields).to.have.length(17).and.include("ip");
  });

  it("reads fields in the order of the record", () => {
    const { edge } = readConfig({
      ...GATEWAY,
      EDGE_PORT: "0",
      EDGE_HEADERS: "cloudflare",
      EDGE_FIELDS: "city, country",
    });
    expect(edge?.fields).to.deep.equal(["country", "city"]);
  });

  it("can have only the gRPC port", () => {
    expect(readConfig({ ...GATEWAY, EDGE_GRPC_PORT: "9191", EDGE_DENY: "DE" }).edge).to.include({
      port: null,
      grpcPort: 9191,
    });
  });

  // Private networks: RFC 1918, 4193, 3927, 4291 and 6598.
  const privates = [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.1.1",
    "fd00::1",
    "fe80::1",
  ];
  for (const [settings, exempt, others] of [
    [{}, privates, ["172.32.0.1", "100.128.0.1", "8.8.8.8", "2001:4860::1"]],
    [{ EDGE_PRIVATE: "deny" }, [], privates],
    [{ EDGE_EXEMPT: "203.0.113.0/24, 2001:db8::/32" }, ["203.0.113.7", "2001:db8::1", "10.0.0.1"], ["203.0.112.1"]],
    [{ EDGE_EXEMPT: "203.0.113.7", EDGE_PRIVATE: "deny" }, ["203.0.113.7"], ["203.0.113.8", "10.0.0.1"]],
  ] as const)
    it(`lets addresses pass the country rules: ${JSON.stringify(settings)}`, () => {
      const { isExempt } = readConfig({ ...GATEWAY, EDGE_PORT: "1", EDGE_DENY: "DE", ...settings }).edge ?? {};
      for (const ip of exempt) expect(isExempt?.(ip), ip).to.equal(true);
      for (const ip of others) expect(isExempt?.(ip), ip).to.equal(false);
    });

  for (const [settings, message] of [
    [{ EDGE_PORT: "-1" }, "EDGE_PORT: must be a whole number"],
    [{ EDGE_PORT: "1", EDGE_FIELDS: "country,town" }, "EDGE_FIELDS: must be fields of the record: ip, country"],
    [{ EDGE_PORT: "1", EDGE_HEADERS: "cloudflare", EDGE_FIELDS: "asn" }, "EDGE_HEADERS=cloudflare don't include asn"],
    [{ EDGE_PORT: "1", EDGE_DENY: "UK" }, 'EDGE_DENY: "UK" isn\'t a current country code; use "GB"'],
    [{ EDGE_PORT: "1", EDGE_DENY: "ZZ" }, 'EDGE_DENY: "ZZ" isn\'t a country; EDGE_UNKNOWN decides'],
    [{ EDGE_PORT: "1", EDGE_CACHE_SECONDS: "0" }, "EDGE_CACHE_SECONDS: must be a whole number from 1 to 86400"],
    [{ EDGE_PORT: "1", EDGE_UNKNOWN: "maybe" }, "EDGE_UNKNOWN: must be allow or deny"],
    [{ EDGE_PORT: "1", EDGE_PRIVATE: "yes" }, "EDGE_PRIVATE: must be allow or deny"],
    [{ EDGE_PORT: "1", EDGE_EXEMPT: "10.0.0.0/33" }, 'EDGE_EXEMPT: "10.0.0.0/33" isn\'t a valid address'],
    [{ EDGE_EXEMPT: "10.0.0.0/8" }, "EDGE_PORT: is required with EDGE_EXEMPT"],
    [{ EDGE_ALLOW: "DE" }, "EDGE_PORT: is required with EDGE_ALLOW"],
    [{ EDGE_PORT: "9191", EDGE_GRPC_PORT: "9191" }, "EDGE_PORT and EDGE_GRPC_PORT are both 9191"],
    [{ PORT: "9191", EDGE_PORT: "9191" }, "PORT and EDGE_PORT are both 9191"],
    [{ EDGE_TOKEN: "0123456789abcdef" }, "EDGE_PORT: is required with EDGE_TOKEN"],
  ] as const)
    it(`refuses ${JSON.stringify(settings)}`, () => {
      expect(() => readConfig({ ...GATEWAY, ...settings })).to.throw(StartError, message);
    });

  it("never shows a token", () => {
    const read = () => readConfig({ ...GATEWAY, EDGE_PORT: "1", EDGE_TOKEN: "hunter2" });
    expect(read).to.throw(StartError, "EDGE_TOKEN: must have 16 to 256 printable ASCII characters");
    expect(read).to.not.throw("hunter2");
  });
});
