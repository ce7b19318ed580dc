import { expect } from "chai";
import { altNameOf, DEFAULT_IDENTITY_TEMPLATE, identitiesIn, isIdentityTemplate } from "./identities.ts";

const SPIFFE = "spiffe://cluster.local/ns/geolookup/sa/{service}";

describe("identities in certificates", () => {
  for (const [altNames, template, expected] of [
    ["DNS:gateway.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, ["gateway"]],
    ["DNS:localhost, DNS:Auth.GeoLookup.internal, IP Address:127.0.0.1", DEFAULT_IDENTITY_TEMPLATE, ["auth"]],
    ["DNS:usage.geolookup.internal, DNS:portal.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, ["usage", "portal"]],
    ["URI:spiffe://cluster.local/ns/geolookup/sa/operator", SPIFFE, ["operator"]],
    ["DNS:gateway", "{service}", ["gateway"]],
    ["DNS:gateway", DEFAULT_IDENTITY_TEMPLATE, []],
    ["DNS:*.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, []],
    ["DNS:gateway.geolookup.internal.example.com", DEFAULT_IDENTITY_TEMPLATE, []],
    ["DNS:a.gateway.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, []],
    ["URI:gateway.geolookup.internal, email:gateway.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, []],
    ["URI:SPIFFE://cluster.local/ns/geolookup/sa/operator", SPIFFE, []],
    ["URI:spiffe://other/ns/geolookup/sa/operator", SPIFFE, []],
    ["DNS:redis.geolookup.internal", DEFAULT_IDENTITY_TEMPLATE, []],
    ['DNS:"a, DNS:gateway.geolookup.internal, b"', DEFAULT_IDENTITY_TEMPLATE, []],
    ['DNS:gateway.geolookup.internal, URI:"a, b"', DEFAULT_IDENTITY_TEMPLATE, []],
    ["", DEFAULT_IDENTITY_TEMPLATE, []],
    [undefined, DEFAULT_IDENTITY_TEMPLATE, []],
  ] as const)
    it(`${altNames} is ${expected.join(" and ") || "none"} of ${template}`, () => {
      expect(identitiesIn(altNames, template)).to.deep.equal(expected);
    });

  it("are shown as they must appear in the certificate", () => {
    expect(altNameOf("geo", DEFAULT_IDENTITY_TEMPLATE)).to.equal("DNS:geo.geolookup.internal");
    expect(altNameOf("geo", SPIFFE)).to.equal("URI:spiffe://cluster.local/ns/geolookup/sa/geo");
  });

  it("follow a template with one {service}, as a DNS name or a SPIFFE ID", () => {
    for (const good of [DEFAULT_IDENTITY_TEMPLATE, SPIFFE, "{service}", "geo-{service}.svc.cluster.local"])
      expect(isIdentityTemplate(good), good).to.equal(true);
    for (const bad of [
      "gateway",
      "{service}.{service}",
      "*.{service}",
      "https://a/{service}",
      "{service} a",
      "spiffe://{service}",
    ])
      expect(isIdentityTemplate(bad), bad).to.equal(false);
  });
});
