import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { eachConsoleScene } from "../harness/browser/console-scenes.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { screenshotName, walk } from "../harness/browser/walk.ts";

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
