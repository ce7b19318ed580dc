import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { ADDRESSES } from "../fixtures/places.ts";
import { locateIn } from "../harness/browser/locate.ts";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser, type Site } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { sample, withOwnValues } from "../harness/samples.ts";

const FETCH = sample("/front-end", "const query");

inBrowser("the browser helper, on a page of another origin", (site) => {
  let shop: OtherOrigin;
  let helper: string;
  let origins: readonly string[];

  before(async () => {
    shop = await startOtherOrigin("shop.test");
    helper = `${site().docsUrl}/geolookup.js`;
    origins = [shop.origin, site().docsUrl, site().apiUrl];
  });
  after(() => shop?.[Symbol.asyncDispose]());

  /** The warnings that a page logs. */
  const warningsOf = (use: (page: Page) => Promise<void>) =>
    visit({ origins }, async (page) => {
      const warnings: string[] = [];
      page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
      await page.goto(shop.origin);
      await use(page);
      return warnings;
    });

  /** A page with a script of the guide, the site's addresses and a key. */
  const servePage = (script: string, key: string) => {
    const own = withOwnValues(script, site(), key);
    shop.serve("/guide", { type: "html", text: `<!doctype html><link rel=icon href=data:,>${own}` });
  };

  for (const [tab, script] of [
    ["Helper", sample("/front-end", "const { countryName }")],
    ["fetch", `<script type="module">${FETCH}</script>`],
  ] as const)
    it(`the guide's code works without a preflight: ${tab}`, async () => {
      const { key } = await site().issueKey({ origins: [shop.origin] });
      servePage(script, key);
      await visit({ origins }, async (page) => {
        const printed = page.waitForEvent("console");
        await page.goto(`${shop.origin}/guide`);
        expect((await printed).text()).to.equal("United States");
      });
      expect(calls(site())).to.deep.equal([`GET /v1/geo?key=${key}&fields=countryName`]);
    });

  it("the guide's page has the visitor's country, or its default and a warning if the request fails", async () => {
    const script = `<script type="module">${sample("/front-end", "let country")}\nconsole.log(country);</script>`;
    const saidWith = (key: string) =>
      visit({ origins }, async (page) => {
        const said: string[] = [];
        page.on("console", (message) => /^(?:log|warning)$/.test(message.type()) && said.push(message.text()));
        servePage(script, key);
        const logged = page.waitForEvent("console", (message) => message.type() === "log");
        await page.goto(`${shop.origin}/guide`);
        await logged;
        return said;
      });
    site().callFrom(ADDRESSES.upperTesting);
    expect(await saidWith((await site().issueKey()).key)).to.deep.equal(["GB"]);
    const [warning, country] = await saidWith("geo_pk_x");
    expect(warning).to.match(/^malformed_key \S/);
    expect(country).to.equal("US");
  });

  it("the guide's mock stands in for the API in a test of a page", async () => {
    const mock = new Function("page", `return (async () => { ${sample("/front-end", "page.route")} })();`);
    await visit({ origins: [shop.origin, "https://geo.example.com"] }, async (page) => {
      await mock(page);
      await page.goto(shop.origin);
      const printed = page.waitForEvent("console");
      await page.evaluate(`(async () => { ${FETCH} })()`);
      expect((await printed).text()).to.equal("Japan");
    });
  });

  it("sends one request in 300 seconds, even across pages", async () => {
    const { key } = await site().issueKey();
    const records = await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const first = await locateIn(page, helper, { key });
      const second = await locateIn(page, helper, { key });
      await page.reload();
      return [first, second, await locateIn(page, helper, { key })].map(({ record }) => record);
    });
    expect(records[0]).to.have.property("city", "Rainhaven");
    expect(records[1]).to.deep.equal(records[0]);
    expect(records[2]).to.deep.equal(records[0]);
    expect(calls(site())).to.have.length(1);
  });

  it("logs once which fields are unknown or not in the plan", async () => {
    const { key } = await site().issueKey({ plan: "free" });
    const logged = await warningsOf(async (page) => {
      for (let count = 0; count < 2; count += 1)
        expect((await locateIn(page, helper, { key, fields: ["town", "city"] })).record).to.deep.equal({});
      await locateIn(page, helper, { key });
    });
    expect(logged).to.deep.equal(['geolookup: "city" is not in plan "free"; unknown field "town"']);
  });

  it("reports a refused origin with code, status and a link to its page", async () => {
    const { key } = await site().issueKey({ origins: ["https://other.example"] });
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const { error } = await locateIn(page, helper, { key });
      expect(error).to.include({ name: "GeolookupError", isGeolookupError: true, status: 403 });
      expect(error).to.include({ code: "origin_not_allowed", docs: `${site().docsUrl}/errors/origin_not_allowed` });
      expect(error?.message).to.include(shop.origin);
      expect(error?.retryAfterSeconds).to.equal(null);
    });
    expect(calls(site()), "errors are never retried").to.have.length(1);
  });

  it("says how long to wait when the quota is used up", async () => {
    const { key } = await site().issueKey({ plan: "closed" });
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const { error } = await locateIn(page, helper, { key });
      expect(error).to.include({ code: "quota_exceeded", status: 429 });
      expect(error?.retryAfterSeconds).to.be.above(0);
    });
    expect(calls(site())).to.have.length(1);
  });

  it("doesn't fall back to the free tier for a key that is empty, null or undefined", async () => {
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      for (const key of ["", null, undefined])
        expect((await locateIn(page, helper, { key })).error).to.include({
          name: "TypeError",
          message: "locate(): key is undefined, null or empty; check its variable, or omit it to send none",
        });
    });
    expect(calls(site())).to.deep.equal([]);
  });

  it("warns once about a secret key, without showing it", async () => {
    const { key } = await site().issueKey({ kind: "secret" });
    const logged = await warningsOf(async (page) => {
      for (let count = 0; count < 2; count += 1)
        expect((await locateIn(page, helper, { key })).record).to.have.property("city", "Rainhaven");
    });
    expect(logged).to.deep.equal([
      "geolookup: everyone can read a secret key in a page. Revoke it, and use a publishable key",
    ]);
  });

  it("says that `url` is the docs host, and where the API is", async () => {
    await visit({ origins }, async (page) => {
      await page.goto(shop.origin);
      const { error } = await locateIn(page, helper, { url: site().docsUrl });
      expect(error).to.include({ code: "not_found", status: 404 });
      expect(error?.message).to.equal(
        `This is the address of the docs site, not of the API. Send the request to \`${site().apiUrl}/v1/geo\`.`,
      );
    });
  });

  it("is less than 2 kB gzipped, and any page can import it", async () => {
    const { text, headers } = await site().deployment.send({ path: "/geolookup.js", host: new URL(helper).host });
    expect(gzipSync(text).length).to.be.below(2_000);
    expect(headers["content-type"]).to.match(/^text\/javascript/);
    expect(headers["access-control-allow-origin"]).to.equal("*");
    expect(headers["cross-origin-resource-policy"]).to.equal("cross-origin");
  });
});

/** Method and target of every request to the API so far. */
function calls(site: Site): string[] {
  const { host } = new URL(site.apiUrl);
  return site
    .requests()
    .filter((request) => request.host === host)
    .map(({ method, url }) => `${method} ${url}`);
}
