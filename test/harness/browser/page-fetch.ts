import type { Page } from "playwright-core";

/** What a page can read of a response. */
export interface PageResponse {
  status: number;
  /** The headers that CORS exposes, with lowercase names. */
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
}

/**
 * Fetches JSON as a script of the page does.
 * @throws Error like fetch in the page, for example if CORS blocks the response.
 */
export function fetchIn(
  page: Page,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageResponse> {
  return page.evaluate(
    async ({ url, headers }) => {
      const response = await fetch(url, { headers });
      const shown = Object.fromEntries(response.headers as unknown as Iterable<[string, string]>);
      return { status: response.status, headers: shown, json: await response.json() };
    },
    { url, headers },
  );
}
