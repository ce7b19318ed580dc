import { readdirSync, readFileSync } from "node:fs";
import type { Asset } from "../asset.ts";

const PACKAGES = new URL("../../../../packages/", import.meta.url);

/** What back ends install or copy, by its path: released versions of `@geolookup/server`, and one file for each other language. */
export const DOWNLOADS: ReadonlyMap<string, Asset> = new Map([
  ...filesIn("server/versions", "/", "gz"),
  ...filesIn("clients", "/clients/", "txt"),
]);

function filesIn(folder: string, path: string, type: string): [string, Asset][] {
  const url = new URL(`${folder}/`, PACKAGES);
  return readdirSync(url).map((name) => [`${path}${name}`, { type, body: readFileSync(new URL(name, url)) }]);
}
