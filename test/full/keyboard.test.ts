import { expect } from "chai";
import { expectAccessible } from "../harness/browser/accessibility.ts";
import { tab, tabTo } from "../harness/browser/keyboard.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit, type Width } from "../harness/browser/visit.ts";
import { waitFor } from "../harness/wait-for.ts";

const ASKED_MS = 15_000;

inBrowser("with the keyboard only", (site) => {
  it("repeats the live demo and copies code", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const requestCount = () =>
        site()
          .requests()
          .filter(({ url }) => url.startsWith("/v1/geo")).length;
      await page.goto(site().docsUrl);
      await page.getByText("Your record").waitFor();
      await tabTo(page, "Try again");
      await page.keyboard.press("Enter");
      await waitFor("the second request", async () => requestCount() === 2, ASKED_MS);
      await tabTo(page, "Copy");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const copied = await page.evaluate("navigator.clipboard.readText()");
      expect(copied).to.equal(`curl '${site().apiUrl}/v1/geo'`);
    }));

  it("reaches the content, the menu and tabs", () =>
    visit({ origins: [site().docsUrl, site().apiUrl], width: "phone" }, async (page) => {
      await page.goto(site().docsUrl);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to content" });
      expect((await skip.boundingBox())?.width).to.be.above(50);
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).to.not.equal("none");
      await page.keyboard.press("Enter");
      expect(await page.locator(":focus").getAttribute("id")).to.equal("content");

      await page.getByRole("button", { name: "Menu" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("navigation", { name: "Site" }).waitFor();
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").textContent()).to.equal("Start");
      await expectAccessible(page);
      await saveScreenshot(page, "menu-phone-light");
      await page.keyboard.press("Escape");
      await page.getByRole("navigation", { name: "Site" }).waitFor({ state: "hidden" });

      await page.getByRole("tab", { name: "curl" }).focus();
      for (const name of ["Browser", "Node.js", "Python", "Go", "PHP", "Ruby", "curl"]) {
        await page.keyboard.press("ArrowRight");
        expect(await page.locator(":focus").textContent()).to.equal(name);
        expect(await page.getByRole("tabpanel", { name, exact: true }).isVisible()).to.equal(true);
      }
    }));

  for (const width of ["desktop", "phone"] satisfies Width[])
    it(`issues, finds, edits and revokes a key in the console: ${width}`, () =>
      visit({ origins: [site().docsUrl], width }, async (page) => {
        const label = `by keyboard, ${width}`;
        const type = async (text: string) => {
          await page.keyboard.press("Control+a");
          await page.keyboard.type(text);
        };
        const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
        await page.goto(`${site().docsUrl}/console`);
        await page.locator("#token:focus").waitFor();
        await type(site().deployment.adminToken);
        await page.keyboard.press("Enter");

        await heading("Overview");
        await page.keyboard.type("gk");
        await heading("Keys");
        expect(await tab(page)).to.equal("Skip to content");
        await page.keyboard.press("Enter");
        for (const stop of ["Issue a key", "Search", "Kind", "Plan", "Status", "Customer", "Sort", "Search"])
          expect(await tab(page)).to.equal(stop);
        await page.goto(`${site().docsUrl}/console/keys/new`);
        await tabTo(page, "Label");
        await type(label);
        await page.keyboard.press("Enter");
        await heading("Key issued");
        await tabTo(page, "Usage and settings");
        await page.keyboard.press("Enter");

        await heading(label);
        await tabTo(page, "Origins");
        await page.keyboard.type("https://shop.test/path");
        await tabTo(page, "Save changes");
        await page.keyboard.press("Enter");
        await page.getByRole("alert").waitFor();
        expect(await page.locator(":focus").getAttribute("role"), "what has the focus").to.equal("alert");
        expect(await tab(page), "what comes after it").to.equal("Origins");
        await type("https://shop.test");
        await tabTo(page, "Save changes");
        await page.keyboard.press("Enter");
        await page.getByText("Origins changed").waitFor();

        await tabTo(page, "Revoke key…");
        await page.keyboard.press("Enter");
        await heading(`Revoke “${label}”?`);
        await tabTo(page, "Reason");
        await page.keyboard.type("tried out");
        await page.keyboard.press("Enter");
        await page.getByText("This key is revoked and can't be changed").waitFor();
      }));

  it("keeps the focus during a live update", () =>
    visit({ origins: [site().docsUrl] }, async (page) => {
      const { key, keyId } = await site().issueKey({ label: "live" });
      await site().deployment.send({ path: `/v1/geo?key=${key}` });
      await page.goto(`${site().docsUrl}/console/keys/${keyId}`);
      // Browsers set the initial focus only when they first draw the page.
      await page.locator("#token:focus").waitFor();
      await page.keyboard.type(site().deployment.adminToken);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "live" }).waitFor();
      const total = page.locator("#month-total");
      const counted = (count: string) =>
        waitFor("the request to be shown", async () => (await total.textContent()) === count, ASKED_MS * 2);
      await counted("1");
      await tabTo(page, "Data table");
      await page.keyboard.press("Enter");
      await site().deployment.send({ path: `/v1/geo?key=${key}` });
      await counted("2");
      expect(await page.locator(":focus").textContent()).to.equal("Data table");
      expect(await page.getByRole("table", { name: "Requests by day" }).isVisible()).to.equal(true);
    }));
});
