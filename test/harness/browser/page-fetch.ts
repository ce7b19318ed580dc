import type { Page } from "playwright-core";

/** What a page could read of an answer. */
export interface PageAnswer {
  status: number;
  /** Those that CORS shows to the page; lower-case names. */
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
}

/**
 * Fetches JSON as a script of the page does.
 * @throws Error as fetch does in the page: when CORS keeps the answer from it, for one.
 */
export function fetchIn(page: Page, url: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
  return page.evaluate(
    async ({ url, headers }) => {
      const response = await fetch(url, { headers });
      const shown = Object.fromEntries(response.headers as unknown as Iterable<[string, string]>);
      return { status: response.status, headers: shown, json: await response.json() };
    },
    { url, headers },
  );
}
