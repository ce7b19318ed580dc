import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type Documents, describeShipment, staleDocuments } from "./documents.ts";
import { checkEngines, checkNodeVersions } from "./node-versions.ts";
import { checkWorkflow } from "./workflow.ts";

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOWS = [".github/workflows/ci.yml", ".github/workflows/release.yml"];

/** `main.ts` writes the documents; `main.ts --check` fails if they are out of date, or if anything else that ships is wrong. */
const problems = await (process.argv.includes("--check") ? check() : write()).catch((error) => {
  if (!(error instanceof StartError)) throw error;
  return [error.message];
});
if (problems.length > 0) {
  process.stderr.write(`Supply chain (docs/security.md):\n${problems.join("\n")}\n`);
  process.exitCode = 1;
}

async function write(): Promise<Documents["problems"]> {
  const documents = await describeShipment(ROOT);
  for (const file of staleDocuments(ROOT, documents)) {
    writeFileSync(join(ROOT, file), documents.files.get(file) ?? "");
    process.stderr.write(`sbom: wrote ${file}\n`);
  }
  return documents.problems;
}

async function check(): Promise<string[]> {
  const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const documents = await describeShipment(ROOT);
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const [, nodeImage = ""] = /^ARG NODE_IMAGE=(.+)$/m.exec(read("infra/Dockerfile")) ?? [];
  return [
    ...documents.problems,
    ...staleDocuments(ROOT, documents).map((file) => `${file} is out of date; run "make sbom"`),
    ...checkNodeVersions(optionalDependencies, nodeImage),
    ...checkEngines(JSON.parse(read("package-lock.json")).packages),
    ...WORKFLOWS.flatMap((file) => checkWorkflow(read(file)).map((problem) => `${file}: ${problem}`)),
  ];
}
