import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "./files.ts";
import { findPhrases, parsePhrases, withoutFirstCells } from "./phrases.ts";

/** Fails when a file contains a phrase of phrases.txt. `--count` prints only how many each folder has. */

const LIST = "scripts/lint/phrases.txt";
const TEXTS = ["md", "ts", "js", "cjs", "yml", "sh", "proto", "html", "json", "conf", "cfg", "env"].map(
  (end) => `*.${end}`,
);
const EXCLUDED = [
  "package-lock.json",
  "sbom.cdx.json",
  "test/fuzz/corpus",
  "services/shared/src/generated",
  "scripts/lint/*.t*",
];
/** Folders that are still being rewritten: `make lint` accepts their hits, `--all` fails on them too. Remove one at a time. */
const PENDING = [
  "services/auth/",
  "services/portal/src/config.test.ts",
  "services/shared/src/runtime/grpc/",
  "services/standalone/",
  "services/usage/",
  "test/console/",
  "test/contract/",
];
/** Old names are in the first column of a table there. */
const RENAMED = new Set(["CHANGELOG.md", "docs/renamed-in-0.2.md"]);

const phrases = parsePhrases(readFileSync(join(ROOT, LIST), "utf8"));
const files = listFiles(...TEXTS, "Makefile", "*Dockerfile", ...EXCLUDED.map((path) => `:!${path}`));
const hits = files.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const inName = findPhrases(phrases, file).map((hit) => ({ ...hit, line: 0, file }));
  const inText = findPhrases(phrases, RENAMED.has(file) ? withoutFirstCells(text) : text);
  return [...inName, ...inText.map((hit) => ({ ...hit, file }))];
});

if (process.argv.includes("--count")) {
  const counts = Map.groupBy(hits, ({ file }) => file.split("/").slice(0, -1).slice(0, 4).join("/") || ".");
  const rows = [...counts]
    .map(([folder, found]) => `${String(found.length).padStart(6)}  ${folder}`)
    .sort()
    .reverse();
  process.stdout.write(`${[...rows, `${String(hits.length).padStart(6)}  in all`].join("\n")}\n`);
} else {
  const isPending = (file: string) => PENDING.some((folder) => file.startsWith(folder));
  const failing = process.argv.includes("--all") ? hits : hits.filter(({ file }) => !isPending(file));
  report(failing);
}

function report(failing: typeof hits): void {
  if (failing.length === 0) return;
  const lines = failing.map(
    ({ file, line, found, phrase }) => `${file}:${line || "name"}: "${found}": write ${phrase.instead}`,
  );
  process.stderr.write(`${lines.join("\n")}\n${failing.length} phrases to rewrite; the list is ${LIST}\n`);
  process.exitCode = 1;
}
