import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "./files.ts";
import { crowdedFolders, importProblems, missingReadmes, mutualImports } from "./import-rules.ts";

/** Fails when a file imports what it must not, when folders import each other, when the root of a service has too many files, or when a
 * room has no README. */

const files = listFiles("*.ts", "*.js");
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const problems = [
  ...[...texts].flatMap(([file, text]) => importProblems(file, text)),
  ...crowdedFolders(files),
  ...mutualImports(texts),
  ...missingReadmes(listFiles(), (path) => readFileSync(join(ROOT, path), "utf8").trimEnd().split("\n").length),
];
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}
