import { readFileSync } from "node:fs";
import type { Asset } from "../compressed.ts";

const SOURCE = new URL("../../../../packages/browser/geolookup.js", import.meta.url);
const NO_DEFAULT = 'const DEFAULT_URL = "";';

let served: { apiUrl: string; asset: Asset } | undefined;

/**
 * The browser helper, asking this API unless a call names another.
 * @param apiUrl null: every call has to name one.
 */
export function browserHelper(apiUrl: string | null): Asset {
  if (served === undefined || served.apiUrl !== (apiUrl ?? "")) {
    const source = readFileSync(SOURCE, "utf8");
    if (!source.includes(NO_DEFAULT)) throw new Error(`geolookup.js has no line ${NO_DEFAULT}`);
    const text = source.replace(NO_DEFAULT, () => `const DEFAULT_URL = ${JSON.stringify(apiUrl ?? "")};`);
    served = { apiUrl: apiUrl ?? "", asset: { type: "js", body: Buffer.from(text) } };
  }
  return served.asset;
}
