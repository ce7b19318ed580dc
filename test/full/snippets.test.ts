import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect } from "chai";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const DEADLINE_MS = 20_000;
const run = promisify(execFile);

inBrowser("code copied from the docs site, with the reader's own key", (site) => {
  /** Fills in the key, copies the code of a tab, and returns the content of the clipboard. */
  const copied = (key: string, tab: string) =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(site().docsUrl);
      await page.getByLabel("Your key").fill(key);
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByRole("tabpanel", { name: tab, exact: true }).getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    });

  it("runs unchanged: curl", async () => {
    const { key } = await site().issueKey({ kind: "secret" });
    const { stdout } = await run("sh", ["-c", await copied(key, "curl")], { timeout: DEADLINE_MS });
    expect(stdout).to.include('"city":"Rainhaven"');
  });

  it("runs unchanged in a page", async () => {
    const { key } = await site().issueKey();
    const code = await copied(key, "Browser");
    await visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      const said = page.waitForEvent("console");
      await page.goto(`${site().docsUrl}/privacy`);
      await page.evaluate(`(async () => { ${code} })()`);
      expect((await said).text()).to.equal("Rainhaven");
    });
  });

  for (const tab of ["Node.js", "Python", "Go", "PHP", "Ruby"])
    it(`is the guide's, which clients.test.ts runs: ${tab}`, async () => {
      const { key } = await site().issueKey({ kind: "secret" });
      const guide = readFileSync("docs/site/back-end.md", "utf8");
      const own = guide.replaceAll("https://geo.example.com", site().apiUrl).replaceAll("geo_sk_…", key);
      expect(own).to.include(` ${tab}\n${await copied(key, tab)}\n\`\`\`\n`);
    });
});
