import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeShipment, staleDocuments } from "./documents.ts";

const root = join(import.meta.dirname, "../..");
const documents = await describeShipment(root);
for (const file of staleDocuments(root, documents)) {
  writeFileSync(join(root, file), documents.files.get(file) ?? "");
  process.stderr.write(`sbom: wrote ${file}\n`);
}
for (const problem of documents.problems) process.stderr.write(`sbom: ${problem}\n`);
process.exitCode = documents.problems.length > 0 ? 1 : 0;
