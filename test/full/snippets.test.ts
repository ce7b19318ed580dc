import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { ADDRESSES } from "../fixtures/places.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const DEADLINE_MS = 20_000;
const run = promisify(execFile);

inBrowser("code copied from the pages that aren't guides, with the reader's own key", (site) => {
  /** Fills in a key, copies the sample that contains a text, and returns the content of the clipboard. */
  const copied = (path: string, text: string, key = "") =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(site().docsUrl + path);
      if (key !== "") await page.getByLabel("Your key").fill(key);
      // Its tab may not be the one that is shown.
      const copy = page.locator(".code", { hasText: text }).locator("button");
      await copy.dispatchEvent("click");
      await copy.filter({ hasText: "Copied" }).waitFor({ state: "attached" });
      return page.evaluate<string>("navigator.clipboard.readText()");
    });
  const runInShell = async (code: string) => (await run("sh", ["-c", code], { timeout: DEADLINE_MS })).stdout;

  it("runs unchanged: curl, without a key", async () =>
    expect(JSON.parse(await runInShell(await copied("/", "curl 'http")))).to.deep.equal({
      ...{ country: "US", countryName: "United States", continent: "NA" },
    }));

  it("runs unchanged: curl", async () => {
    const { key } = await site().issueKey({ kind: "secret" });
    expect(await runInShell(await copied("/", "Authorization: Bearer", key))).to.include('"city":"Rainhaven"');
  });

  it("runs unchanged in a page", async () => {
    const { key } = await site().issueKey();
    const code = await copied("/", "AbortSignal.timeout", key);
    await visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      const said = page.waitForEvent("console");
      await page.goto(`${site().docsUrl}/privacy`);
      await page.evaluate(`(async () => { ${code} })()`);
      expect((await said).text()).to.equal("Rainhaven");
    });
  });

  it("runs, with another visitor: curl in a back end", async () => {
    const { key } = await site().deployment.issueKey({ kind: "secret", forward: true });
    const code = await copied("/reference", "X-Forwarded-For: 81.2.69.142", key);
    expect(await runInShell(code.replace("81.2.69.142", ADDRESSES.upperTesting))).to.include('"city":"Upper Testing"');
  });

  it("credits the data in a page, with links", async () => {
    const code = await copied("/data", "<a href");
    await visit({ origins: [] }, async (page) => {
      await page.setContent(code);
      expect(await page.getByRole("link").first().getAttribute("href")).to.match(/^https:/);
    });
  });
});
