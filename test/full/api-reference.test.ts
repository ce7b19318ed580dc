import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { keepScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

/** Swagger UI takes long to load, and axe-core takes long to check it. */
const ACTION_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 300_000;

inBrowser("the API reference in a browser", (site) => {
  for (const [width, theme] of [
    ["phone", "dark"],
    ["desktop", "light"],
  ] as const)
    it(`calls the API and is accessible when expanded, tried out and authorized: ${width}, ${theme}`, () =>
      visit({ origins: [site().docsUrl, site().apiUrl], width, theme }, async (page) => {
        page.setDefaultTimeout(ACTION_TIMEOUT_MS);
        await page.addInitScript(`new MutationObserver(() => {
          if (/No operations defined/.test(document.body?.textContent ?? "")) document.title = "flash";
        }).observe(document, { childList: true, subtree: true })`);
        await page.goto(`${site().docsUrl}/reference`);
        const operation = page.locator("#operations-Geolocation-locate");
        // The operation is open at the start.
        await operation.getByRole("button", { name: "Try it out" }).click();
        expect(await page.title()).to.not.equal("flash");
        await operation.getByRole("button", { name: "Execute" }).click();
        await operation.locator(".live-responses-table").getByText("x-ratelimit-limit").waitFor();
        await expectNoSidewaysScroll(page);
        await keepScreenshot(page, `reference-open-${width}-${theme}`);
        await page.locator(".auth-wrapper").getByRole("button").click();
        await page.locator(".modal-ux").waitFor();
        await keepScreenshot(page, `reference-key-${width}-${theme}`);
        await expectAccessible(page);
        await page.getByRole("button", { name: "Close" }).first().click();
        const calls = site()
          .requests()
          .filter(({ url }) => url.startsWith("/v1/geo"));
        expect(calls.map(({ method }) => method)).to.deep.equal(["GET"]);
      })).timeout(TEST_TIMEOUT_MS);
});
