import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { onEveryDeployment } from "../harness/suite.ts";

/** Paths that look like endpoints, and paths that look like attacks. Each is written to the wire as it stands. */
const NOT_ENDPOINTS = [
  ...[
    "/v1/geo/",
    "/v1/geo//",
    "//",
    "//v1/geo",
    "/v1//geo",
    "/v1/geo/x",
    "/v1",
    "/v1/",
    "/v2/geo",
    "/geo",
    "/v1/geo.json",
  ],
  ...["/V1/geo", "/v1/GEO", "/v1/Geo"],
  ...[
    "/%761/geo",
    "/v1/ge%6F",
    "/v1%2Fgeo",
    "/v1%2fgeo",
    "/v1/geo%2F",
    "/%2F",
    "/v1/geo%20",
    "/v1/geo%00",
    "/v1/geo%3Fkey=x",
  ],
  ...["/.", "/..", "/./", "/v1/./geo", "/v1/x/../geo", "/v1/geo/.", "/%2e%2e/v1/geo", "/..%2f..%2fetc/passwd"],
  ...["/v1/geo;a=b", "/v1/geo&key=x", "/v1\\geo", "/v1/geo#part", "/v1/geo:", "/v1/geo@", "/;", "/*"],
  ...["/healthz", "/readyz", "/metrics", "/favicon.ico", "/robots.txt", "/index.html", "/errors/not_found", "/errors"],
  ...["/constructor", "/__proto__", "/undefined", "/null"],
];

const MALFORMED_ESCAPES = [
  "/%",
  "/%z",
  "/%zz",
  "/v1/geo%",
  "/v1/geo%z",
  "/v1/geo%zz",
  "/%c3%28",
  "/v1/geo%ff",
  "/%e0%80",
  "/%u0041",
];

onEveryDeployment("contract 4.1: paths", (deployment) => {
  it("any path that isn't an endpoint gets 404 not_found (exact, case-sensitive)", async () => {
    for (const path of NOT_ENDPOINTS) {
      const response = await deployment().send({ path });
      expect([path, response.status]).to.deep.equal([path, 404]);
      expectError(response, "not_found", deployment());
    }
  });

  it("so do malformed escapes", async () => {
    for (const path of MALFORMED_ESCAPES) {
      const response = await deployment().send({ path });
      expect([path, response.status]).to.deep.equal([path, 404]);
      expectError(response, "not_found", deployment());
    }
  });

  it("a query string doesn't change that, and isn't echoed", async () => {
    const message = expectError(
      await deployment().send({ path: "/v1/geo/?key=geo_sk_nobodysbusiness&fields=city" }),
      "not_found",
      deployment(),
    );
    expect(message).to.include("/v1/geo/");
    expect(message).to.not.include("nobodysbusiness");
  });

  it("malformed escapes in the query string are ordinary values", async () => {
    expect(expectRecord(await deployment().send({ path: "/v1/geo?fields=country,%zz,%" }))).to.deep.equal({
      country: "US",
    });
    expectError(await deployment().send({ path: "/v1/geo?key=%zz" }), "malformed_key", deployment());
  });

  it("an empty query and odd separators have no effect", async () => {
    for (const path of ["/v1/geo?", "/?", "/v1/geo?&&", "/v1/geo?=", "/v1/geo?unknown", "/v1/geo?a=b&a=c"])
      expect(expectRecord(await deployment().send({ path })), path).to.deep.equal(RAINHAVEN_FREE);
  });

  it("a target in absolute form is equivalent to its path (RFC 9112, section 3.2.2)", async () => {
    const { url } = deployment();
    expect(expectRecord(await deployment().send({ path: `${url}/v1/geo` }))).to.deep.equal(RAINHAVEN_FREE);
    expect(expectRecord(await deployment().send({ path: `${url}?fields=country` }))).to.deep.equal({ country: "US" });
    expectError(await deployment().send({ path: `${url}/v1/geo/` }), "not_found", deployment());
    expectError(await deployment().send({ path: `${url}/%zz` }), "not_found", deployment());
    for (const path of ["ftp://example.com/v1/geo", "http:///v1/geo", "geo:/v1/geo"]) {
      const response = await deployment().send({ path });
      expect([path, response.status]).to.deep.equal([path, 404]);
    }
  });

  it("a long path is truncated in the message", async () => {
    const path = `/${"a".repeat(5000)}`;
    expect(expectError(await deployment().send({ path }), "not_found", deployment())).to.have.length.below(1000);
  });
});
