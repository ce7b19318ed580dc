import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

/** Runs in the page: adds up layout shifts (https://web.dev/articles/cls). */
const COUNT_SHIFTS = `globalThis.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;

const focused = (page: Page) => page.locator(":focus");
const contentsOf = (page: Page) => page.getByRole("navigation", { name: "On this page" });

inBrowser("the guides in a browser", (site) => {
  const origins = () => [site().docsUrl];
  const guide = () => `${site().docsUrl}/front-end`;

  it("can be searched with the keyboard, and search terms aren't sent", () =>
    visit({ origins: origins() }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      await page.keyboard.press("/");
      const field = page.getByRole("searchbox", { name: "Search the docs" });
      await field.fill("revoked_key");
      const results = page.getByRole("dialog").getByRole("link");
      await results.first().waitFor();
      await saveScreenshot(page, "search-desktop-light");
      await expectAccessible(page);
      await page.keyboard.press("ArrowDown");
      expect(await focused(page).getAttribute("href")).to.equal("/errors/revoked_key");
      await page.keyboard.press("ArrowUp");
      // cspell:disable-next-line
      await field.fill("bundlars");
      await results.filter({ hasText: "bundlers" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${site().docsUrl}/front-end*`);
      await page.keyboard.press("Control+k");
      await field.waitFor();
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "hidden" });
      const urls = site()
        .requests()
        .map(({ url }) => url);
      expect(urls).to.include.members(["/search.json", "/assets/minisearch.js"]);
      expect(urls.filter((url) => url.includes("?"))).to.deep.equal([]);
    }));

  for (const theme of ["light", "dark"] as const)
    it(`suggest pages for a wrong address: ${theme}`, () =>
      visit({ origins: origins(), theme, width: "phone" }, async (page) => {
        const response = await page.goto(`${site().docsUrl}/guide/content-security-policy.html`);
        expect(response?.status()).to.equal(404);
        await page
          .getByRole("link", { name: /Content Security Policy/ })
          .first()
          .waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await saveScreenshot(page, `not-found-phone-${theme}`);
      }));

  it("link to each section, beside the text or from the header, without scripts", async () => {
    await visit({ origins: origins(), scripts: false }, async (page) => {
      await page.goto(guide());
      expect(await page.getByRole("button", { name: "Search" }).isVisible()).to.equal(false);
      await contentsOf(page).getByRole("link", { name: "Plan for unknown locations" }).click();
      expect(page.url()).to.equal(`${guide()}#plan-for-unknown-locations`);
      await page.getByRole("heading", { name: "Plan for unknown locations" }).getByRole("link").click();
      await page.getByRole("link", { name: "Next Back end" }).click();
      await page.waitForURL(`${site().docsUrl}/back-end`);
    });
    await visit({ origins: origins(), scripts: false, width: "phone" }, async (page) => {
      await page.goto(guide());
      expect(await contentsOf(page).isVisible()).to.equal(false);
      await page.getByRole("button", { name: "On this page" }).click();
      await contentsOf(page).getByRole("link", { name: "Plan for unknown locations" }).click();
      expect(page.url()).to.equal(`${guide()}#plan-for-unknown-locations`);
    });
  });

  it("mark the section that is being read in the contents", () =>
    visit({ origins: origins() }, async (page) => {
      await page.goto(guide());
      const current = contentsOf(page).locator("a.current");
      const first = await contentsOf(page).getByRole("link").first().textContent();
      await current.and(page.getByText(first ?? "", { exact: true })).waitFor();
      await contentsOf(page).getByRole("link", { name: "Plan for unknown locations" }).click();
      await current.and(page.getByText("Plan for unknown locations")).waitFor();
      await page.keyboard.press("Home");
      await current.and(page.getByText(first ?? "", { exact: true })).waitFor();
      expect(await current.count()).to.equal(1);
    }));

  it("remember the language that was chosen on another page", () =>
    visit({ origins: [...origins(), site().apiUrl] }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      await page.getByRole("tab", { name: "Python", exact: true }).click();
      await page.goto(site().docsUrl);
      await page.getByRole("tab", { name: "Python", selected: true }).waitFor();
      await page.getByText("from geolookup import Geolookup").waitFor();
      await page.goto(guide());
      await page.getByRole("tab", { name: "fetch", exact: true }).click();
      await page.goto(`${site().docsUrl}/back-end`);
      expect(await page.getByRole("tab", { name: "curl" }).count(), "a single example isn't a tab").to.equal(0);
      expect(await page.getByRole("tablist", { name: "Language" }).count()).to.equal(2);
      expect(await page.getByRole("tab", { selected: true }).allTextContents()).to.deep.equal(["Python", "Python"]);
    }));

  for (const theme of ["light", "dark"] as const)
    it(`weigh less than 150 kB and don't move while they load: ${theme}`, () =>
      visit({ origins: origins(), theme }, async (page) => {
        const session = await page.context().newCDPSession(page);
        let bytes = 0;
        session.on("Network.loadingFinished", ({ encodedDataLength }) => {
          bytes += encodedDataLength;
        });
        await session.send("Network.enable");
        await page.addInitScript(COUNT_SHIFTS);
        await page.goto(`${site().docsUrl}/back-end`);
        expect(await page.evaluate("globalThis.shifts")).to.be.below(0.02);
        expect(bytes, "with everything it loads").to.be.within(5_000, 150_000);
        await expectAccessible(page);
      }));
});
