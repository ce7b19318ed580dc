import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPins } from "@geolookup/geo-data/sources/npm/pins.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { checkImages } from "../images/check-images.ts";
import { readImageList } from "../images/image-list.ts";
import { checkLicenses, licenseReport } from "./licenses.ts";
import { checkEngines, checkNodeVersions, checkWorkflow } from "./pinned-versions.ts";
import { readSbom } from "./sbom.ts";

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOWS = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
/** The license of the packages that databases are built from (services/geo-data/src/sources/npm/npm-parts.ts). */
const DATA_LICENSE = "CC-BY-4.0";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** `main.ts` writes the documents; `main.ts --check` fails if they are out of date, or if anything else that ships is wrong. */
const isCheck = process.argv.includes("--check");
const problems = await documentProblems().catch((error) => {
  if (!(error instanceof StartError)) throw error;
  return [error.message];
});
if (isCheck) problems.push(...versionProblems());
if (problems.length > 0) {
  process.stderr.write(`Supply chain (docs/security.md):\n${problems.join("\n")}\n`);
  process.exitCode = 1;
}

/** @throws StartError if npm fails, or the pinned geo data is invalid. */
async function documentProblems(): Promise<string[]> {
  const sbom = await readSbom(ROOT);
  const { packages, problems } = checkLicenses(sbom, JSON.parse(read("package.json")).license);
  const pins = readPins(join(ROOT, "services/geo-data/pinned-packages.json"));
  const data = Object.entries(pins).map(([name, { version }]) => ({ name, version, license: DATA_LICENSE }));
  for (const [file, text] of [
    ["sbom.cdx.json", `${JSON.stringify(sbom, null, 1)}\n`],
    ["docs/licenses.md", licenseReport(packages, data)],
  ] as const)
    if (!isCheck) writeFileSync(join(ROOT, file), text);
    else if (read(file) !== text) problems.push(`${file} is out of date; run "make sbom"`);
  return problems;
}

function versionProblems(): string[] {
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const nodeImage = readImageList(ROOT).get("NODE_IMAGE") ?? "";
  return [
    ...checkImages(ROOT),
    ...checkNodeVersions(optionalDependencies, nodeImage),
    ...checkEngines(JSON.parse(read("package-lock.json")).packages),
    ...WORKFLOWS.flatMap((file) => checkWorkflow(read(file)).map((problem) => `${file}: ${problem}`)),
  ];
}
