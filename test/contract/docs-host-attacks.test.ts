import { expect } from "chai";
import type { Deployment } from "../harness/deployment.ts";
import { expectRawError } from "../harness/expect-answer.ts";
import { exchange, type RawAnswer, sendRaw } from "../harness/raw.ts";
import { onEveryDeployment } from "../harness/suite.ts";

/** A GET of its own connection. `HOST` in lines and target is the docs host, `API` the API's. */
const get = (target: string, ...lines: string[]) =>
  `${[`GET ${target} HTTP/1.1`, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`;

onEveryDeployment("design 4: API host and docs host never mix, whatever is sent", (deployment) => {
  const fill = (bytes: string) =>
    bytes
      .replaceAll("HOSTNAME", new URL(deployment().docsUrl).hostname)
      .replaceAll("HOST", deployment().docsHost)
      .replaceAll("API", new URL(deployment().url).host)
      .replaceAll("OPS", new URL(deployment().opsUrls[0] ?? "").host);
  const send = (bytes: string) => sendRaw(deployment().url, fill(bytes));

  for (const [what, ...lines] of [
    ["a Host with a dot at its end", "Host: HOSTNAME."],
    ["a Host without the port", "Host: HOSTNAME"],
    ["a Host with another port", "Host: HOSTNAME:1"],
    ["a Host with an empty port", "Host: HOSTNAME:"],
    ["a Host that ends in the docs host", "Host: evil.HOST"],
    ["a Host that begins with the docs host", "Host: HOST.evil.test"],
    ["userinfo before the docs host", "Host: API@HOST"],
    ["the docs host as userinfo", "Host: HOST@API"],
    ["a list of Hosts", "Host: HOST, API"],
    ["a path behind the Host", "Host: HOST/"],
    ["a Host in brackets", "Host: [HOSTNAME]"],
    ["X-Forwarded-Host", "Host: API", "X-Forwarded-Host: HOST"],
    ["Forwarded", "Host: API", "Forwarded: host=HOST;proto=http"],
    ["X-Host and X-Original-Host", "Host: API", "X-Host: HOST", "X-Original-Host: HOST"],
  ] as const)
    it(`${what} does not make a request to the API one for the docs`, async () => {
      expectApi(await send(get("/v1/geo", ...lines)));
      expectRawNotFound(await send(get("/errors/not_found", ...lines)));
    });

  for (const [what, ...lines] of [
    ["X-Forwarded-Host", "Host: HOST", "X-Forwarded-Host: API"],
    ["Forwarded", "Host: HOST", "Forwarded: host=API"],
    ["X-Original-URL and X-Rewrite-URL", "Host: HOST", "X-Original-URL: /v1/geo", "X-Rewrite-URL: /v1/geo"],
    ["X-HTTP-Method-Override", "Host: HOST", "X-HTTP-Method-Override: POST"],
    ["blanks around the Host", "Host: \t HOST \t"],
  ] as const)
    it(`${what} does not make a request for the docs one to the API`, async () => {
      expectPage(await send(get("/errors/not_found", ...lines)), 200);
      expectPage(await send(get("/v1/geo", ...lines)), 404);
    });

  it("a target in absolute form with userinfo is not the docs host's", async () => {
    expectRawNotFound(await send(get("http://a@HOST/errors/not_found", "Host: HOST")));
    expectRawNotFound(await send(get("http://HOST@API/errors/not_found", "Host: HOST")));
  });

  for (const target of [
    ...["//OPS/metrics", "///OPS/metrics", "/@OPS/metrics", "/\\OPS/metrics", "http://HOST//OPS/metrics"],
    ...["/http://OPS/metrics", "http://HOST/http://OPS/metrics", "/%2F%2FOPS/metrics", "/..//OPS/metrics"],
  ])
    it(`the proxy fetches nothing from elsewhere: ${target}`, async () => {
      expectPage(await send(get(target, "Host: HOST")), 404);
    });

  for (const path of [
    ...["/../v1/geo", "/errors/../../v1/geo", "/errors/..%2f..%2f..%2fetc/passwd", "/..%5c..%5cetc%5cpasswd"],
    ...["/assets/../../package.json", "/assets/%2e%2e/%2e%2e/package.json", "/assets/..%2fdocs-routes.ts"],
    ...["/assets/reference/..%2f..%2fpackage.json", "/assets/reference/%2e%2e%2freference.js", "/assets/reference/.."],
    ...[
      "/assets/reference/__proto__",
      "/assets/reference/constructor",
      "/errors/toString",
      "/errors/not_found%00.html",
    ],
    ...["/errors/not_found/", "/errors//not_found", "/ERRORS/not_found", "/errors/not_found%0d%0aX-Evil:%20yes"],
  ])
    it(`no file and no other page is reached by ${path}`, async () => {
      const answer = await send(get(path, "Host: HOST"));
      expectPage(answer, 404);
      expect(answer.whole).to.not.match(/root:|"dependencies"|x-evil/i);
    });

  it("requests of one connection are told apart, each by its own Host", async () => {
    const [docs, api] = ["GET /errors HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET /v1/geo HTTP/1.1\r\nHost: API\r\n\r\n"];
    const whole = await exchange(deployment().url, fill(docs + api + docs + get("/v1/geo", "Host: API")));
    const types = [...whole.matchAll(/^content-type: ([a-z/]+)/gim)].map(([, type]) => type);
    expect(types).to.deep.equal(["text/html", "application/json", "text/html", "application/json"]);
  });

  it("pages carry nothing for other origins: no CORS, no cookie, no name of what made them", async () => {
    const { headers } = await send(get("/errors/not_found", "Host: HOST", "Origin: https://evil.test"));
    for (const name of ["access-control-allow-origin", "access-control-allow-credentials", "set-cookie"])
      expect(headers).to.not.have.property(name);
    expect(headers).to.not.have.any.keys("x-powered-by", "server", "via");
    expect(headers).to.include({ "x-frame-options": "DENY", "x-content-type-options": "nosniff" });
  });

  function expectRawNotFound(answer: RawAnswer): void {
    expectRawError(answer, "not_found", deployment() satisfies Deployment);
  }
});

function expectApi({ status, headers, whole }: RawAnswer): void {
  expect(status, whole).to.equal(200);
  expect(headers).to.include.keys("x-ratelimit-limit", "access-control-allow-origin");
  expect(headers["content-type"]).to.match(/^application\/json/);
}

function expectPage({ status, headers, whole }: RawAnswer, expected: number): void {
  expect(status, whole).to.equal(expected);
  expect(headers["content-type"]).to.match(/^text\/html/);
  expect(headers).to.include.keys("content-security-policy");
  expect(headers).to.not.have.any.keys("x-ratelimit-limit", "access-control-allow-origin");
}
