import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "./accessibility.ts";
import { makeDataReport, openDataPage } from "./data-page.ts";
import type { Site } from "./site.ts";
import { type VisitOptions, visit } from "./visit.ts";

/** Signs in to the console in a new browser profile, and runs `use` on its page. */
export function visitConsole<Result>(
  site: Site,
  use: (page: Page) => Promise<Result>,
  options: Partial<VisitOptions> = {},
): Promise<Result> {
  return visit({ origins: [site.docsUrl], ...options }, async (page) => {
    await page.goto(`${site.docsUrl}/console`);
    await page.getByLabel("Admin token").fill(site.deployment.adminToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    return use(page);
  });
}

/** Checks every page of the console, sign-in last. @throws AssertionError with findings of axe, or pages that are too wide. */
export async function expectAccessibleConsole(
  site: Site,
  width: NonNullable<VisitOptions["width"]>,
  theme: NonNullable<VisitOptions["theme"]>,
): Promise<void> {
  await makeDataReport(site);
  const { keyId } = await site.issueKey({ label: "for everyone", origins: ["https://shop.test"] });
  await visitConsole(
    site,
    async (page) => {
      for (const path of [
        "",
        "keys",
        "keys?view=compact&sort=-label",
        "keys?search=nothing-matches-this",
        "keys/new",
        `keys/${keyId}`,
        `keys/${keyId}/revoke`,
        "cluster",
        "address",
        "sign-out",
      ]) {
        await page.goto(`${site.docsUrl}/console/${path}`);
        for (const landmark of ["main", "banner", "contentinfo"] as const)
          expect(await page.getByRole(landmark).count(), `${landmark} of ${path}`).to.equal(1);
        expect(await page.getByRole("heading", { level: 1 }).count(), `h1 of ${path}`).to.equal(1);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
      await openDataPage(site, page);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.context().clearCookies();
      await page.goto(`${site.docsUrl}/console`);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
    { width, theme },
  );
}
