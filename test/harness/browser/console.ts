import type { Page } from "playwright-core";
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
    await page.getByLabel("Token", { exact: true }).fill(site.deployment.adminToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    return use(page);
  });
}
