import { readFileSync } from "node:fs";
import type { Asset } from "../asset.ts";

const SOURCE = new URL("../../../../packages/browser/geolookup.js", import.meta.url);
const EMPTY_DEFAULT = 'const DEFAULT_URL = "";';

let cached: { apiUrl: string; asset: Asset } | undefined;

/**
 * The browser helper, with this API as its default.
 * @param apiUrl null: every call has to pass `url`.
 */
export function browserHelper(apiUrl: string | null): Asset {
  if (cached === undefined || cached.apiUrl !== (apiUrl ?? "")) {
    const source = readFileSync(SOURCE, "utf8");
    if (!source.includes(EMPTY_DEFAULT)) throw new Error(`geolookup.js has no line ${EMPTY_DEFAULT}`);
    const text = source.replace(EMPTY_DEFAULT, () => `const DEFAULT_URL = ${JSON.stringify(apiUrl ?? "")};`);
    cached = { apiUrl: apiUrl ?? "", asset: { type: "js", body: Buffer.from(text) } };
  }
  return cached.asset;
}
