import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Asset } from "../asset.ts";

const PACKAGES = new URL("../../../../packages/", import.meta.url);
const BROWSER = new URL("browser/", PACKAGES);
const SOURCE = new URL("geolookup.js", BROWSER);
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
  filesIn("browser/versions", "", (name) => (name.endsWith(".js") ? "js" : "txt")),
);

/** What back ends install or copy, by its path: released versions of `@geolookup/server`, and one file for each other language. */
export const DOWNLOADS: ReadonlyMap<string, Asset> = new Map([
  ...filesIn("server/versions", "/", () => "gz"),
  ...filesIn("clients", "/clients/", () => "txt"),
]);

function filesIn(folder: string, path: string, typeOf: (name: string) => string): [string, Asset][] {
  const url = new URL(`${folder}/`, PACKAGES);
  return readdirSync(url).map((name) => [
    `${path}${name}`,
    { type: typeOf(name), body: readFileSync(new URL(name, url)) },
  ]);
}

/** The newest version, and its hash for Subresource Integrity. */
export function newestHelper(): { version: string; integrity: string } {
  const { version } = JSON.parse(readFileSync(new URL("package.json", BROWSER), "utf8")) as { version: string };
  const script = HELPER_VERSIONS.get(`${version}.js`);
  if (script === undefined) throw new Error(`packages/browser/versions has no ${version}.js`);
  return { version, integrity: integrityOf(script.body) };
}

/** The hash of a script, for Subresource Integrity. */
export function integrityOf(script: Buffer): string {
  return `sha384-${createHash("sha384").update(script).digest("base64")}`;
}
