import { expect } from "chai";
import { identitiesIn } from "./identities.ts";

describe("identities in certificates", () => {
  for (const [altNames, expected] of [
    ["DNS:gateway.geolookup.internal", ["gateway"]],
    ["DNS:localhost, DNS:Auth.GeoLookup.internal, IP Address:127.0.0.1", ["auth"]],
    ["DNS:usage.geolookup.internal, DNS:portal.geolookup.internal", ["usage", "portal"]],
    ["DNS:gateway", []],
    ["DNS:*.geolookup.internal", []],
    ["DNS:gateway.geolookup.internal.example.com", []],
    ["DNS:a.gateway.geolookup.internal", []],
    ["URI:gateway.geolookup.internal, email:gateway.geolookup.internal", []],
    ["URI:https://gateway.geolookup.internal", []],
    ["DNS:redis.geolookup.internal", []],
    ['DNS:"a, DNS:gateway.geolookup.internal, b"', []],
    ['DNS:gateway.geolookup.internal, URI:"a, b"', []],
    ["", []],
    [undefined, []],
  ] as const)
    it(`${altNames}: ${expected.join(" and ") || "none"}`, () => {
      expect(identitiesIn(altNames)).to.deep.equal(expected);
    });
});
