import { expect } from "chai";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { sample, withOwnValues } from "../harness/samples.ts";

const POLICY = sample("/front-end", "script-src");
const PRELOAD = sample("/front-end", "modulepreload");
const SCRIPT = sample("/front-end", "// location.js");

inBrowser("a version of the browser helper, on a page with a Content Security Policy", (site) => {
  let shop: OtherOrigin;
  before(async () => {
    shop = await startOtherOrigin("shop.test");
  });
  after(() => shop?.[Symbol.asyncDispose]());

  /** Opens the guide's page: the policy, the preload with a hash, and a script file that imports the helper. */
  async function openPage(preload: string): Promise<string> {
    const { docsUrl, apiUrl } = site();
    const { key } = await site().issueKey({ origins: [shop.origin] });
    const own = (code: string) => withOwnValues(code, site(), key);
    shop.serve("/page", {
      type: "html",
      text: `<!doctype html><html lang="en">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; ${own(POLICY)}">
        <link rel="icon" href="data:,"><title>Shop</title><p id="place">the world</p>${own(preload)}`,
    });
    shop.serve("/location.js", { type: "javascript", text: `${own(SCRIPT)}\nplace.id = "done";` });
    return visit({ origins: [shop.origin, docsUrl, apiUrl] }, async (page) => {
      await page.goto(`${shop.origin}/page`);
      return (await page.locator("#done").textContent()) ?? "";
    });
  }

  it("loads with its hash under the guide's policy", async () => {
    expect(await openPage(PRELOAD)).to.equal("Rainhaven");
  });

  it("doesn't run with another hash, and the page keeps its default", async () => {
    expect(await openPage(PRELOAD.replace(/sha384-[^"]+/, `sha384-${"A".repeat(64)}`))).to.equal("the world");
  });
});
