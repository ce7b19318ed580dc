import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Asset } from "../asset.ts";

const PACKAGE = new URL("../../../../packages/browser/", import.meta.url);
const SOURCE = new URL("geolookup.js", PACKAGE);
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
 * Released versions of the browser helper, which never change: their callers pass the API's address. By the names of their files:
 * `0.2.0.js`, and its types, `0.2.0.d.ts`.
 */
export const HELPER_VERSIONS: ReadonlyMap<string, Asset> = new Map(
  readdirSync(new URL("versions", PACKAGE)).map((name) => [
    name,
    { type: name.endsWith(".js") ? "js" : "txt", body: readFileSync(new URL(`versions/${name}`, PACKAGE)) },
  ]),
);

/** The newest version, and its hash for Subresource Integrity. */
export function newestHelper(): { version: string; integrity: string } {
  const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")) as { version: string };
  const script = HELPER_VERSIONS.get(`${version}.js`);
  if (script === undefined) throw new Error(`packages/browser/versions has no ${version}.js`);
  return { version, integrity: integrityOf(script.body) };
}

/** The hash of a script, for Subresource Integrity. */
export function integrityOf(script: Buffer): string {
  return `sha384-${createHash("sha384").update(script).digest("base64")}`;
}
