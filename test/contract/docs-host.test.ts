import { openApiDocument } from "@geolookup/portal/openapi/document.ts";
import { EDGE_ERROR_STATUS } from "@geolookup/shared/domain/edge-errors.ts";
import { expect } from "chai";
import { STATUSES } from "../../scripts/smoke/contract.ts";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import { PLANS } from "../fixtures/plans.ts";
import { expectError, expectRawError, expectRecord } from "../harness/expect-response.ts";
import { exchange, type RawResponse, sendRaw } from "../harness/raw.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract: the docs host", (deployment) => {
  const docs = (path: string, sent: object = {}) => deployment().send({ path, host: deployment().docsHost, ...sent });

  it("has a page for every error code, including internal_error and those of the edge port", async () => {
    for (const [code, errorStatus] of Object.entries({ ...STATUSES, ...EDGE_ERROR_STATUS })) {
      const { status, headers, text } = await docs(`/errors/${code}`);
      expect([status, headers["content-type"]?.slice(0, 9)], code).to.deep.equal([200, "text/html"]);
      expect(text).to.include(code).and.include(String(errorStatus));
    }
    for (const code of ["no_such_code", "__proto__"]) expect((await docs(`/errors/${code}`)).status).to.equal(404);
    const head = await docs("/errors/not_found", { method: "HEAD" });
    expect([head.status, head.text]).to.deep.equal([200, ""]);
  });

  it("has the OpenAPI description that these suites check every response against", async () => {
    const { json, headers } = await docs("/openapi.json");
    expect(headers["content-type"]).to.match(/^application\/json/);
    const { docsUrl } = deployment();
    const apiUrl = docsUrl.replace("//docs.", "//");
    const keyless = { hourlyLimit: 60, ipv6Prefix: 64 };
    const site = { name: "Geolocation API", contact: null, terms: null, hasConsole: true };
    const document = openApiDocument({ apiUrl, docsUrl, keyless, site, plans: () => new Map(Object.entries(PLANS)) });
    expect(json).to.deep.equal(JSON.parse(JSON.stringify(document)));
  });

  it("has the guides for customers, and 404 for unknown ones", async () => {
    for (const [path, status] of [
      ["/front-end", 200],
      ["/back-end", 200],
      ["/coming-from", 200],
      ["/changelog", 200],
      ["/guides/keys", 301],
      ["/guides/..%2f..%2fREADME", 404],
    ] as const)
      expect((await docs(path)).status, path).to.equal(status);
  });

  it("shows the attribution that the licenses of the loaded databases require", async () => {
    const { text } = await docs("/data");
    for (const [name, type] of [
      ["city.mmdb", "GeoLite2-City"],
      ["asn.mmdb", "GeoLite2-ASN"],
    ])
      expect(text).to.match(
        new RegExp(`<code>${name}</code> <span class="type">${type}, .*<a href="https://www.maxmind.com">`),
      );
    expect((await docs("/")).text).to.include("This product includes GeoLite data created by MaxMind");
  });

  it("has a security.txt with the operator's contact, unlike the API host", async () => {
    const path = "/.well-known/security.txt";
    const { status, headers, text } = await docs(path);
    expect([status, headers["content-type"]]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    expect(text).to.match(/^Contact: mailto:security@example\.com\nExpires: \d{4}-\d\d-\d\dT/);
    expectError(await deployment().send({ path }), "not_found", deployment());
  });

  it("doesn't serve the API, and the API host doesn't serve the docs", async () => {
    for (const path of ["/v1/geo", "/v1/geo?key=nonsense", "/"]) {
      const response = await docs(path);
      const { status, headers } = response;
      expect(status, path).to.equal(path === "/" ? 200 : 404);
      expect(headers).to.not.have.property("x-ratelimit-limit");
      if (path === "/") continue;
      const { docsUrl } = deployment();
      expect(response.json).to.deep.equal({
        error: {
          code: "not_found",
          message: `This is the address of the docs site, not of the API. Send the request to \`${docsUrl.replace("//docs.", "//")}/v1/geo\`.`,
          docs: `${docsUrl}/errors/not_found`,
        },
      });
      expect(headers).to.include({ "access-control-allow-origin": "*", "cache-control": "no-store" });
    }
    const { docsHost } = deployment();
    for (const host of [undefined, "example.com", "localhost", `x${docsHost}`, `${docsHost}.evil.test`]) {
      const sent = host === undefined ? {} : { host };
      expectError(await deployment().send({ path: "/errors/not_found", ...sent }), "not_found", deployment());
      expect(expectRecord(await deployment().send(sent))).to.deep.equal(RAINHAVEN_FREE);
    }
  });

  it("is recognized in upper case, with a dot at its end, and in a target in absolute form (RFC 9112, section 3.2.2)", async () => {
    const { docsUrl, docsHost, url, send } = deployment();
    const withDot = docsHost.replace(/(?=:|$)/, ".");
    for (const sent of [{ host: docsHost.toUpperCase() }, { host: withDot }, { path: `${docsUrl}/errors/not_found` }]) {
      const { status, headers } = await send({ path: "/errors/not_found", ...sent });
      expect([status, headers["content-type"]?.slice(0, 9)]).to.deep.equal([200, "text/html"]);
    }
    expect(expectRecord(await send({ path: `${url}/v1/geo`, host: docsHost }))).to.deep.equal(RAINHAVEN_FREE);
  });

  it("doesn't count toward any limit", async () => {
    const from = "44.0.250.7";
    for (let count = 0; count < 70; count += 1) await docs("/errors/not_found", { from });
    expect((await deployment().send({ from })).headers["x-ratelimit-remaining"]).to.equal("59");
  });
});

/** A GET on a new connection. */
const get = (target: string, ...lines: string[]) =>
  `${[`GET ${target} HTTP/1.1`, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`;

onEveryDeployment("contract: API host and docs host can't be mixed up", (deployment) => {
  /** Replaces the names of hosts. */
  const fill = (bytes: string) =>
    bytes
      .replaceAll("HOSTNAME", new URL(deployment().docsUrl).hostname)
      .replaceAll("HOST", deployment().docsHost)
      .replaceAll("API", new URL(deployment().url).host)
      .replaceAll("OPS", new URL(deployment().opsUrls[0] ?? "").host);
  const send = (bytes: string) => sendRaw(deployment().url, fill(bytes));

  for (const [what, ...lines] of [
    ["a Host with a trailing dot", "Host: HOSTNAME."],
    ["a Host without the port", "Host: HOSTNAME"],
    ["a Host with another port", "Host: HOSTNAME:1"],
    ["a Host with an empty port", "Host: HOSTNAME:"],
    ["a Host that ends in the docs host", "Host: evil.HOST"],
    ["a Host that starts with the docs host", "Host: HOST.evil.test"],
    ["user info before the docs host", "Host: API@HOST"],
    ["the docs host as user info", "Host: HOST@API"],
    ["a list of Hosts", "Host: HOST, API"],
    ["a path after the Host", "Host: HOST/"],
    ["a Host in brackets", "Host: [HOSTNAME]"],
    ["X-Forwarded-Host", "Host: API", "X-Forwarded-Host: HOST"],
    ["Forwarded", "Host: API", "Forwarded: host=HOST;proto=http"],
    ["X-Host and X-Original-Host", "Host: API", "X-Host: HOST", "X-Original-Host: HOST"],
  ] as const)
    it(`${what} doesn't reach the docs`, async () => {
      expectApi(await send(get("/v1/geo", ...lines)));
      expectRawError(await send(get("/errors/not_found", ...lines)), "not_found", deployment());
    });

  for (const [what, ...lines] of [
    ["X-Forwarded-Host", "Host: HOST", "X-Forwarded-Host: API"],
    ["Forwarded", "Host: HOST", "Forwarded: host=API"],
    ["X-Original-URL and X-Rewrite-URL", "Host: HOST", "X-Original-URL: /v1/geo", "X-Rewrite-URL: /v1/geo"],
    ["X-HTTP-Method-Override", "Host: HOST", "X-HTTP-Method-Override: POST"],
    ["whitespace around the Host", "Host: \t HOST \t"],
  ] as const)
    it(`${what} doesn't reach the API`, async () => {
      expectPage(await send(get("/errors/not_found", ...lines)), 200);
      const { status, headers, body } = await send(get("/v1/geo", ...lines));
      expect([status, JSON.parse(body).error.code]).to.deep.equal([404, "not_found"]);
      expect(headers).to.include.keys("content-security-policy").and.not.have.property("x-ratelimit-limit");
    });

  it("a target in absolute form with user info doesn't reach the docs", async () => {
    for (const target of ["http://a@HOST/errors/not_found", "http://HOST@API/errors/not_found"])
      expectRawError(await send(get(target, "Host: HOST")), "not_found", deployment());
  });

  for (const target of [
    ...["//OPS/metrics", "///OPS/metrics", "/@OPS/metrics", "/\\OPS/metrics", "http://HOST//OPS/metrics"],
    ...["/http://OPS/metrics", "http://HOST/http://OPS/metrics", "/%2F%2FOPS/metrics", "/..//OPS/metrics"],
    ...["/../v1/geo", "/errors/../../v1/geo", "/errors/..%2f..%2f..%2fetc/passwd", "/..%5c..%5cetc%5cpasswd"],
    ...["/assets/../../package.json", "/assets/%2e%2e/%2e%2e/package.json", "/assets/..%2fdocs-routes.ts"],
    ...["/guides/diagrams/..%2f..%2fpackage.json", "/guides/diagrams/%2e%2e%2fREADME", "/guides/diagrams/.."],
    ...["/guides/diagrams/__proto__", "/geolookup/constructor.js", "/errors/toString"],
    ...["/guides/../../package.json", "/guides/%2e%2e/README", "/guides/..%5cREADME", "/guides/__proto__"],
    ...["/errors/not_found/", "/errors//not_found", "/ERRORS/not_found", "/errors/not_found%0d%0aX-Evil:%20yes"],
    "/errors/not_found%00.html",
  ])
    it(`${target} reaches no file, no other page and no other host`, async () => {
      const response = await send(get(target, "Host: HOST"));
      expectPage(response, 404);
      expect(response.whole).to.not.match(/root:|"dependencies"|x-evil/i);
    });

  it("each request on a connection goes to its own Host", async () => {
    const [docs, api] = ["GET /errors HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET /v1/geo HTTP/1.1\r\nHost: API\r\n\r\n"];
    const whole = await exchange(deployment().url, fill(docs + api + docs + get("/v1/geo", "Host: API")));
    const types = [...whole.matchAll(/^content-type: ([a-z/]+)/gim)].map(([, type]) => type);
    expect(types).to.deep.equal(["text/html", "application/json", "text/html", "application/json"]);
  });

  it("pages have no CORS headers, cookies or server names", async () => {
    const { headers } = await send(get("/errors/not_found", "Host: HOST", "Origin: https://evil.test"));
    for (const name of ["access-control-allow-origin", "access-control-allow-credentials", "set-cookie"])
      expect(headers).to.not.have.property(name);
    expect(headers).to.not.have.any.keys("x-powered-by", "server", "via");
    expect(headers).to.include({ "x-frame-options": "DENY", "x-content-type-options": "nosniff" });
  });
});

function expectApi({ status, headers, whole }: RawResponse): void {
  expect(status, whole).to.equal(200);
  expect(headers).to.include.keys("x-ratelimit-limit", "access-control-allow-origin");
  expect(headers["content-type"]).to.match(/^application\/json/);
}

function expectPage({ status, headers, whole }: RawResponse, expected: number): void {
  expect(status, whole).to.equal(expected);
  expect(headers["content-type"]).to.match(/^text\/html/);
  expect(headers).to.include.keys("content-security-policy");
  expect(headers).to.not.have.any.keys("x-ratelimit-limit", "access-control-allow-origin");
}
