import type { Page } from "playwright-core";

/**
 * Opens every page that links lead to from `start`, on its host, one after another, each once.
 * @param look runs with each page open.
 * @returns the paths, in their order.
 * @throws Error naming a link that leads to no page.
 */
export async function walk(
  page: Page,
  start: string,
  look: (page: Page, path: string) => Promise<void>,
): Promise<string[]> {
  const { origin, pathname } = new URL(start);
  const waiting = [pathname];
  const seen = new Set(waiting);
  const pages: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const response = await page.goto(origin + path);
    if (response?.status() !== 200) throw new Error(`a link leads to ${path}, which answers ${response?.status()}`);
    if (!response.headers()["content-type"]?.startsWith("text/html")) continue;
    pages.push(path);
    for (const next of await linksOf(page)) {
      const { origin: host, pathname, search } = new URL(next);
      const target = pathname + search;
      if (host === origin && !seen.has(target)) {
        seen.add(target);
        waiting.push(target);
      }
    }
    await look(page, path);
  }
  return pages;
}

/** Absolute addresses, downloads left out. */
function linksOf(page: Page): Promise<string[]> {
  return page.evaluate("[...document.querySelectorAll('a[href]:not([download])')].map((link) => link.href)");
}

/** A name for a picture of a page. */
export function pictureName(path: string): string {
  return path === "/" ? "start" : path.slice(1).replace(/[^a-z0-9_]+/gi, "-");
}
