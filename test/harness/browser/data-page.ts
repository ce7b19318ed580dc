import type { Page } from "playwright-core";
import { runHere } from "../command.ts";
import { baseSettings } from "../settings.ts";
import { waitFor } from "../wait-for.ts";
import type { Site } from "./site.ts";

const SHOWN_MS = 20_000;

/** Computes the report that the page *Data* shows, so that tests don't have to wait for the background process. */
export async function makeDataReport({ deployment }: Site): Promise<void> {
  const { GEO_DATABASES } = baseSettings();
  const { status, stderr } = await runHere(["data", "report"], { DATA_DIR: deployment.dataDir, GEO_DATABASES });
  if (status !== 0) throw new Error(stderr);
}

/** Opens the page *Data* with its report, folded tables included. */
export async function openDataPage({ docsUrl }: Site, page: Page): Promise<void> {
  await waitFor(
    "the report about the data",
    async () => {
      await page.goto(`${docsUrl}/console/data`);
      return (await page.getByRole("heading", { name: "Coverage" }).count()) === 1;
    },
    SHOWN_MS,
  );
  for (const summary of await page.locator("summary").all()) await summary.click();
}
