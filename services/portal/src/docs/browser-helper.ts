import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Asset } from "../asset.ts";

const PACKAGE = new URL("../../../../packages/browser/", import.meta.url);
const SOURCE = new URL("geolookup.js", PACKAGE);
const VERSION = /^\d+\.\d+\.\d+$/;
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

/**
 * A released version of the browser helper, which never changes: its callers pass the API's address.
 * @returns null if there is no such version.
 */
export function helperVersion(version: string): Asset | null {
  const file = new URL(`versions/${version}.js`, PACKAGE);
  return VERSION.test(version) && existsSync(file) ? { type: "js", body: readFileSync(file) } : null;
}

/** The newest version, and its hash for Subresource Integrity. */
export function newestHelper(): { version: string; integrity: string } {
  const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")) as { version: string };
  return { version, integrity: integrityOf(readFileSync(new URL(`versions/${version}.js`, PACKAGE))) };
}

/** The hash of a script, for Subresource Integrity. */
export function integrityOf(script: Buffer): string {
  return `sha384-${createHash("sha384").update(script).digest("base64")}`;
}
