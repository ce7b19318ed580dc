import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { eachConsoleScene } from "../harness/browser/console-scenes.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser, inBrowserWith } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { screenshotName, walk } from "../harness/browser/walk.ts";

/** Well-formed, but not issued here. */
const FOREIGN_KEY = `geo_pk_${"x".repeat(30)}_${"y".repeat(22)}`;

inBrowser("every page of the docs site", (site) => {
  for (const width of ["phone", "desktop"] as const)
    for (const theme of ["light", "dark"] as const)
      it(`is accessible and fits its window: ${width}, ${theme}`, async function () {
        this.timeout(600_000);
        const { docsUrl, apiUrl } = site();
        await visit({ origins: [docsUrl, apiUrl], width, theme }, async (page) => {
          const look = async (name: string) => {
            await saveScreenshot(page, `${name}-${width}-${theme}`);
            await expectAccessible(page);
            await expectNoSidewaysScroll(page);
          };
          const isIncluded = (path: string) => !path.startsWith("/console");
          await walk(page, `${docsUrl}/`, (_page, path) => look(screenshotName(path)), isIncluded);
          await page.goto(`${docsUrl}/nowhere`);
          await look("not-found");
          await page.route("**/v1/geo*", (route) => route.abort());
          await page.goto(docsUrl);
          await page.getByText(`${apiUrl} is unreachable`).waitFor();
          await look("start-api-unreachable");
        });
      });
});

inBrowser("every page of the console, in every state", (site) => {
  for (const width of ["phone", "desktop"] as const)
    for (const theme of ["light", "dark"] as const)
      it(`is accessible and fits its window: ${width}, ${theme}`, async function () {
        this.timeout(600_000);
        await eachConsoleScene(site(), { width, theme }, async (page, name) => {
          await saveScreenshot(page, `console-${name}-${width}-${theme}`);
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        });
      });
});

inBrowserWith({ DEMO_KEY: FOREIGN_KEY }, "the live demo with another service's key", (site) => {
  it("shows the error and links to its page", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      await page.goto(site().docsUrl);
      await page.getByText("401 bad_signature").waitFor();
      await page.getByText("no-store Errors aren't cached.").waitFor();
      await saveScreenshot(page, "start-refused-desktop-light");
      await expectAccessible(page);
      await page.getByRole("link", { name: "How to fix it" }).click();
      await page.waitForURL(`${site().docsUrl}/errors/bad_signature`);
    }));
});
