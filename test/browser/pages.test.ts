import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit, WIDTHS } from "../harness/browser/visit.ts";

/** The pages with the most different elements, each in one way. test/full has all pages in every way. */
const FOR_AXE = [
  ["/", "phone", "dark"],
  ["/reference", "desktop", "light"],
  ["/front-end", "phone", "light"],
  ["/errors/origin_not_allowed", "desktop", "dark"],
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

  it("the most different ones are accessible and fit their window", async () => {
    const { docsUrl, apiUrl } = site();
    await visit({ origins: [docsUrl, apiUrl] }, async (page) => {
      for (const [path, width, theme] of FOR_AXE) {
        await page.setViewportSize(WIDTHS[width]);
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(docsUrl + path);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    });
  });

  it("link to pages that exist, and every error code has one", async () => {
    const { deployment } = site();
    const paths = new Set(["/"]);
    // Grows while it is walked.
    for (const path of paths) {
      const { status, headers, text } = await deployment.send({ path, host: deployment.docsHost });
      expect(status, path).to.equal(200);
      if (!headers["content-type"]?.startsWith("text/html")) continue;
      for (const element of ["main", "header", "footer", "h1"])
        expect(text.split(new RegExp(`<${element}[ >]`)), `${element} of ${path}`).to.have.length(2);
      for (const [, target = ""] of text.matchAll(/<a [^>]*href="(\/[^"#]*)/g))
        if (!target.startsWith("/console")) paths.add(target.replaceAll("&amp;", "&"));
    }
    expect([...paths]).to.include.members(ERROR_CODES.map((code) => `/errors/${code}`));
    expect([...paths]).to.include.members([
      ...["/", "/front-end", "/back-end", "/reference", "/errors", "/data", "/privacy", "/coming-from", "/changelog"],
    ]);
  });
});
