import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { checkImages } from "../images/check-images.ts";
import { readImageList } from "../images/image-list.ts";
import { describeShipment, staleDocuments } from "./documents.ts";
import { checkEngines, checkNodeVersions } from "./node-versions.ts";
import { checkWorkflow } from "./workflow.ts";

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOW = ".github/workflows/ci.yml";

const problems = await findProblems().catch((error) => {
  if (!(error instanceof StartError)) throw error;
  return [error.message];
});
if (problems.length > 0) {
  process.stderr.write(`Supply chain (docs/security.md):\n${problems.join("\n")}\n`);
  process.exit(1);
}

async function findProblems(): Promise<string[]> {
  const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const documents = await describeShipment(ROOT);
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const nodeImage = readImageList(ROOT).get("NODE_IMAGE") ?? "";
  return [
    ...documents.problems,
    ...staleDocuments(ROOT, documents).map((file) => `${file} is out of date; run "make sbom"`),
    ...checkImages(ROOT),
    ...checkNodeVersions(optionalDependencies, nodeImage),
    ...checkEngines(JSON.parse(read("package-lock.json")).packages),
    ...checkWorkflow(read(WORKFLOW)).map((problem) => `${WORKFLOW}: ${problem}`),
  ];
}
