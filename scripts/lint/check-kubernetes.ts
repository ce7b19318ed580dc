import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./files.ts";
import { findProblems } from "./kubernetes/find-problems.ts";

/** Fails when the manifests in infra/kubernetes are invalid, or don't match the code. */

const problems = await findProblems((path) => readFileSync(join(ROOT, path), "utf8"));
if (problems.length > 0) {
  process.stderr.write(`infra/kubernetes (docs/kubernetes.md):\n${problems.join("\n")}\n`);
  process.exitCode = 1;
}
