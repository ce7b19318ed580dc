import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const DEADLINE_MS = 20_000;
const run = promisify(execFile);

/** How to run the code of each tab, and what it prints. */
const PROGRAMS: readonly [tab: string, program: string, args: readonly string[], prints: string][] = [
  ["curl", "sh", ["-c"], '"city":"Rainhaven"'],
  ["Node.js", process.execPath, ["--input-type=module", "--eval"], "America/Los_Angeles USD"],
  ["Python", "python3", ["-c"], "'city': 'Rainhaven'"],
];

inBrowser("code copied from the docs site, with the reader's own key", (site) => {
  /** Fills in the key, copies the code of a tab, and returns the content of the clipboard. */
  const copied = (key: string, tab: string) =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(`${site().docsUrl}/quick-start`);
      await page.getByLabel("Your key").fill(key);
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.getByRole("tabpanel", { name: tab, exact: true }).getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    });

  for (const [tab, program, args, prints] of PROGRAMS)
    it(`runs unchanged: ${tab}`, async () => {
      const { key } = await site().issueKey({ kind: "secret" });
      const code = await copied(key, tab);
      const { stdout } = await run(program, [...args, code], { timeout: DEADLINE_MS });
      expect(stdout).to.include(prints);
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
});
