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
    it(`calls the API and is accessible when expanded, tried out with a key: ${width}, ${theme}`, () =>
      visit({ origins: [site().docsUrl, site().apiUrl], width, theme }, async (page) => {
        page.setDefaultTimeout(ACTION_TIMEOUT_MS);
        await page.addInitScript(`new MutationObserver(() => {
          if (/No operations defined/.test(document.body?.textContent ?? "")) document.title = "flash";
        }).observe(document, { childList: true, subtree: true })`);
        await page.goto(`${site().docsUrl}/reference`);
        const operation = page.locator("#operations-Geolocation-locate");
        // The operation is open at the start, with example fields.
        await operation.getByRole("button", { name: "Execute" }).waitFor();
        expect(await page.title()).to.not.equal("flash");
        const { key } = await site().issueKey();
        await page.getByLabel("Your key").fill(key);
        await operation.getByRole("button", { name: "Execute" }).click();
        await operation.locator(".live-responses-table").getByText("x-ratelimit-limit").waitFor();
        await expectNoSidewaysScroll(page);
        await keepScreenshot(page, `reference-open-${width}-${theme}`);
        await expectAccessible(page);
        expect(await page.getByRole("button", { name: "Authorize" }).count()).to.equal(0);
        const calls = site()
          .requests()
          .filter(({ url }) => url.startsWith("/v1/geo"));
        expect(calls.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`)).to.deep.equal([
          `GET /v1/geo?fields=country,countryName&key=${key}`,
        ]);
      })).timeout(TEST_TIMEOUT_MS);
});
