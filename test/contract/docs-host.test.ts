import { openApiDocument } from "@geolookup/portal/openapi/document.ts";
import { expect } from "chai";
import { RAINHAVEN_FREE } from "../fixtures/places.ts";
import { PLANS } from "../fixtures/plans.ts";
import { type Code, expectError, expectRecord, STATUS_OF } from "../harness/expect-answer.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("design 4: the docs host", (deployment) => {
  const docs = (path: string, sent: object = {}) => deployment().send({ path, host: deployment().docsHost, ...sent });

  it("has a page for every error code, internal_error too", async () => {
    for (const code of Object.keys(STATUS_OF) as Code[]) {
      const page = await docs(`/errors/${code}`);
      expect(page.status, code).to.equal(200);
      expect(page.headers["content-type"]).to.match(/^text\/html/);
      expect(page.text).to.include(code).and.to.include(String(STATUS_OF[code]));
      expect(page.headers).to.not.have.property("x-powered-by");
    }
  });

  it("has the OpenAPI description that every answer of these suites is held against", async () => {
    const { json, headers } = await docs("/openapi.json");
    expect(headers["content-type"]).to.match(/^application\/json/);
    const { docsUrl } = deployment();
    const apiUrl = docsUrl.replace("//docs.", "//");
    const keyless = { hourlyLimit: 60, ipv6Prefix: 64 };
    const document = openApiDocument({ apiUrl, docsUrl, keyless, plans: () => new Map(Object.entries(PLANS)) });
    expect(json).to.deep.equal(JSON.parse(JSON.stringify(document)));
  });

  it("credits the databases that are loaded, with the link that their license asks for", async () => {
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

  it("answers HEAD, and 404 for a code that is none", async () => {
    const head = await docs("/errors/not_found", { method: "HEAD" });
    expect([head.status, head.text]).to.deep.equal([200, ""]);
    expect((await docs("/errors/no_such_code")).status).to.equal(404);
    expect((await docs("/errors/__proto__")).status).to.equal(404);
  });

  it("has a security.txt with the operator's contact, and the API host has none", async () => {
    const path = "/.well-known/security.txt";
    const { status, headers, text } = await docs(path);
    expect([status, headers["content-type"]]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    expect(text).to.match(/^Contact: mailto:security@example\.com\nExpires: \d{4}-\d\d-\d\dT/);
    expectError(await deployment().send({ path }), "not_found", deployment());
  });

  it("does not serve the API: the two never mix", async () => {
    for (const path of ["/v1/geo", "/v1/geo?key=nonsense", "/"]) {
      const page = await docs(path);
      expect(page.headers).to.not.have.property("x-ratelimit-limit");
      expect(page.headers["content-type"], path).to.not.match(/json/);
    }
    expect((await docs("/v1/geo")).status).to.equal(404);
  });

  it("the API host does not serve the docs", async () => {
    for (const host of [
      undefined,
      "example.com",
      "localhost",
      `x${deployment().docsHost}`,
      `${deployment().docsHost}.evil.test`,
    ]) {
      const sent = host === undefined ? {} : { host };
      expectError(await deployment().send({ path: "/errors/not_found", ...sent }), "not_found", deployment());
      expect(expectRecord(await deployment().send(sent))).to.deep.equal(RAINHAVEN_FREE);
    }
  });

  it("is recognized in any case of its letters", async () => {
    const page = await deployment().send({ path: "/errors/not_found", host: deployment().docsHost.toUpperCase() });
    expect(page.headers["content-type"]).to.match(/^text\/html/);
  });

  it("a target in absolute form decides the host (RFC 9112, section 3.2.2)", async () => {
    const { docsUrl, docsHost, url } = deployment();
    const page = await deployment().send({ path: `${docsUrl}/errors/not_found` });
    expect([page.status, page.headers["content-type"]?.slice(0, 9)]).to.deep.equal([200, "text/html"]);
    expect(expectRecord(await deployment().send({ path: `${url}/v1/geo`, host: docsHost }))).to.deep.equal(
      RAINHAVEN_FREE,
    );
  });

  it("uses up nothing of anybody's limit", async () => {
    const from = "44.0.250.7";
    for (let count = 0; count < 70; count += 1) await docs("/errors/not_found", { from });
    const answer = await deployment().send({ from });
    expect(answer.headers["x-ratelimit-remaining"]).to.equal("59");
  });
});
