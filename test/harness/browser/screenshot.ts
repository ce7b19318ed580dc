import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Saves the whole page as `NAME.png` in the folder given by SCREENSHOTS, if it is set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
