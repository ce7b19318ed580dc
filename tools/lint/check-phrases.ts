import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, ROOT } from "./files.ts";
import { findPhrases, parsePhrases, withoutFirstCells } from "./phrases.ts";

/** Fails when a file contains a phrase of phrases.txt. */

const LIST = "tools/lint/phrases.txt";
const TEXTS = ["md", "ts", "js", "cjs", "mjs", "yml", "yaml", "sh", "proto", "html", "json", "conf", "cfg", "env"].map(
  (end) => `*.${end}`,
);
const EXCLUDED = [
  "package-lock.json",
  "sbom.cdx.json",
  "test/fuzz/corpus",
  "services/shared/src/generated",
  "tools/lint/*.t*",
];
/** Old names are in the first column of a table there. */
const RENAMED = new Set(["CHANGELOG.md"]);

const phrases = parsePhrases(readFileSync(join(ROOT, LIST), "utf8"));
const files = listFiles(...TEXTS, "Makefile", "*Dockerfile", ...EXCLUDED.map((path) => `:!${path}`));
const hits = files.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const inName = findPhrases(phrases, file).map((hit) => ({ ...hit, line: 0, file }));
  const inText = findPhrases(phrases, RENAMED.has(file) ? withoutFirstCells(text) : text);
  return [...inName, ...inText.map((hit) => ({ ...hit, file }))];
});

if (hits.length > 0) {
  const lines = hits.map(
    ({ file, line, found, phrase }) => `${file}:${line || "name"}: "${found}": write ${phrase.instead}`,
  );
  process.stderr.write(`${lines.join("\n")}\n${hits.length} phrases to rewrite; the list is ${LIST}\n`);
  process.exitCode = 1;
}
