import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "./files.ts";
import { crowdedFolders, importProblems } from "./import-rules.ts";

/** Fails when a file imports what it must not, or when the root of a service has too many files. */

const files = listFiles("*.ts", "*.js");
const problems = [
  ...files.flatMap((file) => importProblems(file, readFileSync(join(ROOT, file), "utf8"))),
  ...crowdedFolders(files),
];
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}
