import type { Page } from "playwright-core";

/** How a call of the browser helper ended, as the page saw it. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  record: any;
  /** What was thrown; null: nothing. */
  error: {
    name: string;
    message: string;
    isGeolookupError: boolean;
    code: string;
    docs: string | null;
    status: number | null;
    retryAfterSeconds: number | null;
  } | null;
}

/**
 * Calls `locate` in a page, which imports the helper first.
 * @param helper address of the module.
 */
export function locateIn(page: Page, helper: string, options: object): Promise<Outcome> {
  return page.evaluate(
    async ({ helper, options }) => {
      const { locate, GeolookupError } = await import(helper);
      try {
        return { record: await locate(options), error: null };
      } catch (error) {
        const { name, message, code, docs, status, retryAfterSeconds } = error as NonNullable<Outcome["error"]>;
        const isGeolookupError = error instanceof GeolookupError;
        return { record: null, error: { name, message, isGeolookupError, code, docs, status, retryAfterSeconds } };
      }
    },
    { helper, options },
  );
}
