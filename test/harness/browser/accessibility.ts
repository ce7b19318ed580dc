import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const SOURCE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

let source: string | undefined;

/**
 * Runs axe-core on the current page.
 * @throws Error listing all findings with their elements.
 */
export async function expectAccessible(page: Page): Promise<void> {
  source ??= readFileSync(SOURCE, "utf8");
  // Runs through the debugger, so no Content-Security-Policy blocks it.
  await page.evaluate(source);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  if (violations.length === 0) return;
  const shown = violations.map(
    ({ id, impact, help, nodes }) =>
      `${id} (${impact}): ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join("\n")}`,
  );
  throw new Error(`axe-core on ${page.url()}:\n${shown.join("\n")}`);
}

/** @throws Error if the page is wider than its window, so that readers on a phone would have to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate<{ content: number; window: number }>(
    "({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })",
  );
  if (content > window) throw new Error(`${page.url()} is ${content} px wide in a window of ${window} px`);
}
