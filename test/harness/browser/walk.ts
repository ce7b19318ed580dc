import type { Page } from "playwright-core";

/**
 * Opens every page on the same host that can be reached from `start`, each once.
 * @param look runs with each page open.
 * @param includes which paths to open; by default all.
 * @returns the paths, in order.
 * @throws Error naming a dead link.
 */
export async function walk(
  page: Page,
  start: string,
  look: (page: Page, path: string) => Promise<void>,
  includes: (path: string) => boolean = () => true,
): Promise<string[]> {
  const { origin, pathname } = new URL(start);
  const waiting = [pathname];
  const seen = new Set(waiting);
  const pages: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const response = await page.goto(origin + path);
    if (response?.status() !== 200) throw new Error(`a link leads to ${path}, which returns ${response?.status()}`);
    if (!response.headers()["content-type"]?.startsWith("text/html")) continue;
    pages.push(path);
    for (const next of await linksOf(page)) {
      const { origin: host, pathname, search } = new URL(next);
      const target = pathname + search;
      if (host === origin && !seen.has(target) && includes(pathname)) {
        seen.add(target);
        waiting.push(target);
      }
    }
    await look(page, path);
  }
  return pages;
}

/** Absolute URLs, without downloads. */
function linksOf(page: Page): Promise<string[]> {
  return page.evaluate("[...document.querySelectorAll('a[href]:not([download])')].map((link) => link.href)");
}

/** The file name of a page's screenshot. */
export function screenshotName(path: string): string {
  return path === "/" ? "start" : path.slice(1).replace(/[^a-z0-9_]+/gi, "-");
}
