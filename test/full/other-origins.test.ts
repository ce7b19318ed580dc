import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { fetchIn } from "../harness/browser/page-fetch.ts";
import { inBrowser, type Site } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

inBrowser("the API, called by a page of another origin", (site) => {
  let shop: OtherOrigin;
  let origins: readonly string[];
  let geo: string;

  before(async () => {
    shop = await startOtherOrigin("shop.test");
    origins = [shop.origin, site().docsUrl, site().apiUrl];
    geo = `${site().apiUrl}/v1/geo`;
  });
  after(() => shop?.[Symbol.asyncDispose]());

  for (const [where, header] of [
    ["Authorization", (key: string) => ({ Authorization: `Bearer ${key}` })],
    ["X-API-Key", (key: string) => ({ "X-API-Key": key })],
  ] as const)
    it(`a secret key in ${where} needs one preflight, which its Max-Age keeps`, async () => {
      const { issueKey } = site();
      const keys = [await issueKey({ kind: "secret" }), await issueKey({ kind: "secret", plan: "free" })];
      await visit({ origins }, async (page) => {
        await page.goto(shop.origin);
        // The keys have different responses, so only the preflight can come from a cache.
        for (const { key } of keys) {
          const { status, json } = await fetchIn(page, geo, header(key));
          expect([status, json.countryName]).to.deep.equal([200, "United States"]);
        }
      });
      expect(methods(site())).to.deep.equal(["OPTIONS", "GET", "GET"]);
    });

  for (const [name, value] of [
    ["traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ["sentry-trace", "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1"],
    ["baggage", "sentry-environment=production"],
    ["Content-Type", "application/json"],
    ["X-Requested-With", "XMLHttpRequest"],
    ["Cache-Control", "no-cache"],
    ["X-Some-Library", "1"],
  ] as const)
    it(`a page may send ${name}, with and without a key in a header`, async () => {
      const { key } = await site().issueKey({ kind: "secret" });
      await visit({ origins }, async (page) => {
        await page.goto(shop.origin);
        for (const headers of [{}, { "X-API-Key": key }, { Authorization: `Bearer ${key}` }])
          expect((await fetchIn(page, geo, { [name]: value, ...headers })).status).to.equal(200);
      });
      expect(methods(site())).to.include("OPTIONS");
    });

  it("a page can't send credentials, such as cookies", async () => {
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const outcome = page.evaluate((url) => fetch(url, { credentials: "include" }).then(String, String), geo);
      expect(await outcome).to.match(/^TypeError: /);
    });
  });

  it("a refused origin can read the error and follow its link", async () => {
    const { key, display } = await site().issueKey({ origins: ["https://a.example"] });
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const { status, json } = await fetchIn(page, `${geo}?key=${key}`);
      expect([status, json.error.code]).to.deep.equal([403, "origin_not_allowed"]);
      expect(json.error.message).to.include(shop.origin).and.to.include(display);
      const link = `<a href="${json.error.docs}">What is this?</a>`;
      await page.evaluate(`document.body.innerHTML = ${JSON.stringify(link)}`);
      await page.getByRole("link", { name: "What is this?" }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(page.url()).to.equal(json.error.docs);
      expect(await page.getByRole("main").textContent()).to.include("origin_not_allowed");
    });
  });

  it("a page can read the limit and the wait in a 429, with and without a key", async () => {
    const from = freshIpv4();
    for (let count = 0; count < 60; count += 1) await site().deployment.send({ from });
    site().callFrom(from);
    const { key } = await site().issueKey({ plan: "closed" });
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const hourly = await fetchIn(page, geo);
      expect([hourly.status, hourly.json.error.code]).to.deep.equal([429, "rate_limited"]);
      expect(hourly.headers).to.include({ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" });
      const monthly = await fetchIn(page, `${geo}?key=${key}`);
      expect([monthly.status, monthly.json.error.code]).to.deep.equal([429, "quota_exceeded"]);
      for (const { headers } of [hourly, monthly]) {
        expect(Number(headers["x-ratelimit-reset"])).to.be.above(1_700_000_000);
        expect(Number(headers["retry-after"])).to.be.above(0);
      }
    });
  });

  it("two keys never share a cached response, however they are sent", async () => {
    const { issueKey } = site();
    const paid = (await issueKey({ kind: "secret" })).key;
    const free = (await issueKey({ kind: "secret", plan: "free" })).key;
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const hasCity = async (query: string, headers: Readonly<Record<string, string>> = {}) =>
        "city" in (await fetchIn(page, geo + query, headers)).json;
      for (const [query, headers, expected] of [
        ["", { "X-API-Key": paid }, true],
        ["", { "X-API-Key": free }, false],
        ["", { Authorization: `Bearer ${paid}` }, true],
        ["", { Authorization: `Bearer ${free}` }, false],
        ["", {}, false],
        [`?key=${paid}`, {}, true],
        [`?key=${free}`, {}, false],
        ["", { "X-API-Key": paid }, true],
      ] as const)
        expect(await hasCity(query, headers), `${query}${Object.keys(headers)}`).to.equal(expected);
    });
  });
});

/** The methods of every request to the API so far. */
function methods(site: Site): string[] {
  const { host } = new URL(site.apiUrl);
  return site
    .requests()
    .filter((request) => request.host === host)
    .map(({ method }) => method);
}
