import { readFileSync } from "node:fs";
import { newestHelper } from "@geolookup/portal/docs/browser-helper.ts";
import { expect } from "chai";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const GUIDE = readFileSync("docs/site/front-end.md", "utf8");

inBrowser("a version of the browser helper, on a page with a Content Security Policy", (site) => {
  let shop: OtherOrigin;
  before(async () => {
    shop = await startOtherOrigin("shop.test");
  });
  after(() => shop?.[Symbol.asyncDispose]());

  /** The page of the guide about this: the policy, the preload with a hash, and a script file that imports the helper. */
  async function openPage(integrity: string): Promise<string> {
    const { docsUrl, apiUrl } = site();
    const { key } = await site().issueKey({ origins: [shop.origin] });
    const helper = `${docsUrl}/geolookup/${newestHelper().version}.js`;
    const policy = `default-src 'none'; script-src 'self' ${helper}; connect-src ${apiUrl}`;
    const icon = '<link rel="icon" href="data:,">';
    shop.serve("/page", {
      type: "html",
      text: `<!doctype html><html lang="en"><meta http-equiv="Content-Security-Policy" content="${policy}; img-src data:">
        ${icon}<link rel="modulepreload" href="${helper}" crossorigin integrity="${integrity}">
        <title>Shop</title><p id="place">the world</p><script type="module" src="/location.js"></script>`,
    });
    const [, code = ""] = /^```js\n(\/\/ location\.js\n.*?)^```/ms.exec(GUIDE) ?? [];
    shop.serve("/location.js", {
      type: "javascript",
      text: `${code
        .replace("https://docs.geo.example.com", docsUrl)
        .replace("https://geo.example.com", apiUrl)
        .replace("geo_pk_…", key)}place.id = "done";`,
    });
    return visit({ origins: [shop.origin, docsUrl, apiUrl] }, async (page) => {
      await page.goto(`${shop.origin}/page`);
      return (await page.locator("#done").textContent()) ?? "";
    });
  }

  it("loads with its hash under the guide's policy", async () => {
    expect(await openPage(newestHelper().integrity)).to.equal("Rainhaven");
  });

  it("doesn't run with another hash, and the page keeps its default", async () => {
    expect(await openPage(`sha384-${"A".repeat(64)}`)).to.equal("the world");
  });
});
