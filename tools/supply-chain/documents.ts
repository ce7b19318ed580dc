import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPins } from "@geolookup/geo-data/sources/npm/pins.ts";
import { checkLicenses, licenseReport } from "./licenses.ts";
import { readSbom, type Sbom } from "./sbom.ts";

/** The license of the packages that databases are built from (services/geo-data/src/sources/npm/npm-parts.ts). */
const DATA_LICENSE = "CC-BY-4.0";

/** The documents about the packages that ship: texts by file, and problems with licenses, one line each. */
export interface Documents {
  files: ReadonlyMap<string, string>;
  problems: string[];
}

/**
 * Describes what ships, from the lockfile and the pinned geo data.
 * @param root the repository.
 * @throws StartError if npm fails, or the pinned geo data is invalid.
 */
export async function describeShipment(root: string): Promise<Documents> {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const sbom = await readSbom(root);
  const { license } = JSON.parse(read("package.json")) as { license: string };
  const { packages, problems } = checkLicenses(sbom, license);
  const pins = readPins(join(root, "services/geo-data/pinned-packages.json"));
  const data = Object.entries(pins).map(([name, { version }]) => ({ name, version, license: DATA_LICENSE }));
  return { files: documents(sbom, licenseReport(packages, data)), problems };
}

function documents(sbom: Sbom, report: string): ReadonlyMap<string, string> {
  return new Map([
    ["sbom.cdx.json", `${JSON.stringify(sbom, null, 1)}\n`],
    ["docs/licenses.md", report],
  ]);
}

/** The documents that are missing or out of date. */
export function staleDocuments(root: string, { files }: Documents): string[] {
  return [...files].filter(([file, text]) => committed(join(root, file)) !== text).map(([file]) => file);
}

function committed(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
