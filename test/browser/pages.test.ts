import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit, WIDTHS } from "../harness/browser/visit.ts";
import { walk } from "../harness/browser/walk.ts";

/** About thirty pages, on a busy machine. */
const WALK_TIMEOUT_MS = 240_000;

const isIncluded = (path: string) => !path.startsWith("/console");

/** The pages with the most different elements: axe looks at them here, and at all pages in test/full. */
const FOR_AXE = ["/", "/reference", "/front-end", "/errors/origin_not_allowed"];

/** Each page is checked in one of these ways, and in all of them in test/full. */
const WAYS = [
  ["phone", "dark"],
  ["desktop", "light"],
  ["phone", "light"],
  ["desktop", "dark"],
] as const;

inBrowser("the docs site's pages", (site) => {
  for (const path of ["/front-end", "/reference"])
    it(`${path} loads its font without a layout shift, and weighs less than 150 kB`, () =>
      visit({ origins: [site().docsUrl] }, async (page) => {
        await page.addInitScript(
          "globalThis.shift = 0; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shift += value; }).observe({ type: 'layout-shift', buffered: true });",
        );
        await page.goto(site().docsUrl + path);
        expect(await page.evaluate("document.fonts.load('1rem Inter').then((faces) => faces[0].status)")).to.equal(
          "loaded",
        );
        await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
        expect(Number(await page.evaluate("globalThis.shift"))).to.be.below(0.02);
        const bytes = await page.evaluate(
          "performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)",
        );
        expect(Number(bytes)).to.be.above(40_000).and.below(150_000);
      }));

  it("are accessible, fit their window, and only send requests to docs and API; every error code has a page", async function () {
    this.timeout(WALK_TIMEOUT_MS);
    const { docsUrl, apiUrl } = site();
    const paths = await visit({ origins: [docsUrl, apiUrl] }, async (page) => {
      let turn = 0;
      return walk(
        page,
        `${docsUrl}/`,
        async (page, path) => {
          const [width, theme] = WAYS[turn++ % WAYS.length] ?? WAYS[0];
          await page.setViewportSize(WIDTHS[width]);
          await page.emulateMedia({ colorScheme: theme });
          for (const landmark of ["main", "banner", "contentinfo"] as const)
            expect(await page.getByRole(landmark).count(), `${landmark} of ${page.url()}`).to.equal(1);
          expect(await page.getByRole("heading", { level: 1 }).count(), `h1 of ${page.url()}`).to.equal(1);
          if (FOR_AXE.includes(path)) await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        },
        isIncluded,
      );
    });
    expect(paths).to.include.members(ERROR_CODES.map((code) => `/errors/${code}`));
    expect(paths).to.include.members([
      ...["/", "/front-end", "/back-end", "/reference", "/errors", "/data", "/privacy", "/coming-from", "/changelog"],
    ]);
  });
});
