import type { BrowserContext, Page } from "playwright-core";
import { sharedChromium } from "./chromium.ts";

const ACTION_TIMEOUT_MS = 15_000;

/** Sizes of a phone and of a desktop's window. */
export const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

export type Width = keyof typeof WIDTHS;
type Theme = "light" | "dark";

export interface VisitOptions {
  /** Origins that the browser may send requests to: base addresses of docs and API, of the test's own pages. */
  origins: readonly string[];
  width?: Width;
  theme?: Theme;
  /** Whether pages may run scripts; default: they may. */
  scripts?: boolean;
}

/**
 * Opens a page in a browser profile of its own (cache, cookies, preflights), runs `use`, and closes it.
 * @throws Error when `use` does; and when a page sent a request to any other origin, was stopped by its own
 *   Content-Security-Policy, or had an error that nobody caught.
 */
export async function visit<Result>(
  options: VisitOptions,
  use: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const { origins, width = "desktop", theme = "light", scripts = true } = options;
  const browser = await sharedChromium();
  const context = await browser.newContext({
    viewport: WIDTHS[width],
    colorScheme: theme,
    hasTouch: width === "phone",
    isMobile: width === "phone",
    // Animations would make screenshots and clicks wait.
    reducedMotion: "reduce",
    javaScriptEnabled: scripts,
    ignoreHTTPSErrors: true,
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const faults = watch(context, new Set(origins.map((origin) => new URL(origin).origin)));
  try {
    const result = await use(await context.newPage(), context);
    if (faults.length > 0) throw new Error(`pages misbehaved:\n${faults.join("\n")}`);
    return result;
  } finally {
    await context.close();
  }
}

/** @returns what went wrong so far; it grows. */
function watch(context: BrowserContext, allowed: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol === "data:" || protocol === "blob:" || allowed.has(origin)) return;
    faults.push(`a request to ${request.url()}, from ${request.serviceWorker()?.url() ?? request.frame().url()}`);
  });
  context.on("weberror", (error) => faults.push(`an error that nobody caught: ${error.error().stack}`));
  context.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}
