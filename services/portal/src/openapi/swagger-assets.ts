import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Asset } from "../asset.ts";

const own = (name: string) => import.meta.resolve(`./assets/${name}`);

/** The files of the reference page: two from Swagger UI, and our own scripts and styles. */
const FILES: Readonly<Record<string, { type: string; url: string }>> = {
  "swagger-ui-bundle.js": { type: "js", url: import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js") },
  "swagger-ui.css": { type: "css", url: import.meta.resolve("swagger-ui-dist/swagger-ui.css") },
  "reference.js": { type: "js", url: own("reference.js") },
  "reference-layout.js": { type: "js", url: own("reference-layout.js") },
  "reference-names.js": { type: "js", url: own("reference-names.js") },
  "reference.css": { type: "css", url: own("reference.css") },
  "reference-tables.css": { type: "css", url: own("reference-tables.css") },
  "reference-controls.css": { type: "css", url: own("reference-controls.css") },
};

const loaded = new Map<string, Asset>();

/** A file of the reference page, or null. Files are read on first use, because Swagger UI is large. */
export function swaggerAsset(name: string): Asset | null {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) return null;
  const asset = loaded.get(name) ?? { type: file.type, body: readFileSync(fileURLToPath(file.url)) };
  loaded.set(name, asset);
  return asset;
}
