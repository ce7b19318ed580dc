import type { BrowserContext, Page } from "playwright-core";
import { sharedChromium } from "./chromium.ts";

const ACTION_TIMEOUT_MS = 15_000;

/** Window sizes of a phone and a desktop. */
export const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

export type Width = keyof typeof WIDTHS;
type Theme = "light" | "dark";

export interface VisitOptions {
  /** Origins to which the browser may send requests: docs, API and the test's own pages. */
  origins: readonly string[];
  width?: Width;
  /** A window size in place of `width`, in CSS pixels. */
  window?: { width: number; height: number };
  /** Device pixels per CSS pixel; 1 by default. */
  scale?: number;
  theme?: Theme;
  /** Whether pages can run scripts; true by default. */
  scripts?: boolean;
}

/**
 * Opens a page in a new browser profile (cache, cookies, preflights), runs `use`, and closes it.
 * @throws Error if `use` does, or if a page sent a request to another origin, violated its Content-Security-Policy, or
 *   had an uncaught error.
 */
export async function visit<Result>(
  options: VisitOptions,
  use: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const { origins, width = "desktop", window = WIDTHS[width], scale = 1, theme = "light", scripts = true } = options;
  const browser = await sharedChromium();
  const context = await browser.newContext({
    viewport: window,
    deviceScaleFactor: scale,
    colorScheme: theme,
    hasTouch: width === "phone",
    isMobile: width === "phone",
    // Animations would delay screenshots and clicks.
    reducedMotion: "reduce",
    javaScriptEnabled: scripts,
    ignoreHTTPSErrors: true,
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const faults = watch(context, new Set(origins.map((origin) => new URL(origin).origin)));
  try {
    const result = await use(await context.newPage(), context);
    if (faults.length > 0) throw new Error(`faults in pages:\n${faults.join("\n")}`);
    return result;
  } finally {
    await context.close();
  }
}

/** @returns the faults found so far; the list grows. */
function watch(context: BrowserContext, allowed: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol === "data:" || protocol === "blob:" || allowed.has(origin)) return;
    faults.push(`a request to ${request.url()}, from ${request.serviceWorker()?.url() ?? request.frame().url()}`);
  });
  context.on("weberror", (error) => faults.push(`an uncaught error: ${error.error().stack}`));
  context.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}
