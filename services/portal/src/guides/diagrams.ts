import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Asset } from "../asset.ts";

const FOLDER = fileURLToPath(new URL("../../../../docs/images/diagrams/", import.meta.url));
const NAME = /^[0-9a-f]{16}\.svg$/;

/** The file name of a diagram's prebuilt figure, which depends on its Mermaid source. `make diagrams` creates the files. */
export function diagramName(source: string): string {
  return `${createHash("sha256").update(source.trim()).digest("hex").slice(0, 16)}.svg`;
}

/** The path of a diagram's figure; null if the figure is missing or outdated. */
export function diagramPath(source: string): string | null {
  const name = diagramName(source);
  return existsSync(`${FOLDER}${name}`) ? `/console/guides/diagrams/${name}` : null;
}

/** A figure by its file name, or null. */
export function diagramAsset(name: string): Asset | null {
  if (!NAME.test(name) || !existsSync(`${FOLDER}${name}`)) return null;
  return { type: "svg", body: readFileSync(`${FOLDER}${name}`) };
}
