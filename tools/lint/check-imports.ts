import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "./files.ts";
import { crowdedFolders, importProblems, mutualImports } from "./import-rules.ts";

/** Fails when a file imports what it must not, when folders import each other, or when the root of a service has too many files. */

const files = listFiles("*.ts", "*.js");
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const problems = [
  ...[...texts].flatMap(([file, text]) => importProblems(file, text)),
  ...crowdedFolders(files),
  ...mutualImports(texts),
];
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}
