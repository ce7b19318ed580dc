import type { Page } from "playwright-core";

/** The outcome of a call to the browser helper, as seen by the page. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  record: any;
  /** The thrown error, or null. */
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
 * Imports the helper in a page and calls `locate`.
 * @param helper URL of the module.
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
