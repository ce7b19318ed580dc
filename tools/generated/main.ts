import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EDGE_ERROR_PROSE } from "../../services/portal/src/docs/edge-errors.ts";
import {
  ERROR_CATALOG,
  type ErrorEntry,
  FIELD_CATALOG,
  type FieldEntry,
  PARTIAL_NOTE,
} from "../../services/shared/src/domain/catalog.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FIELDS: readonly (readonly [string, FieldEntry])[] = Object.entries(FIELD_CATALOG);
const ALERTS = readFileSync(join(ROOT, "infra/prometheus/alerts.yml"), "utf8");
const ERRORS = Object.entries<Omit<ErrorEntry, "status">>({ ...ERROR_CATALOG, ...EDGE_ERROR_PROSE });

/** A part of a file that is generated from another file: the lines between two that stay. */
interface Part {
  file: string;
  /** Where the lines are, and the line that ends them. */
  after: string;
  before: string;
  lines: readonly string[];
}

const RECORD_TYPE = { after: "export interface GeoRecord {\n", before: "}\n", lines: FIELDS.flatMap(typeLines) };

const PARTS: readonly Part[] = [
  { file: "packages/browser/geolookup.d.ts", ...RECORD_TYPE },
  { file: "packages/server/src/record.ts", ...RECORD_TYPE },
  {
    file: "packages/server/src/record.ts",
    ...{ after: "const FIELDS: readonly FieldName[] = [\n", before: "];\n" },
    lines: FIELDS.map(([name]) => `  "${name}",`),
  },
  {
    file: "docs/api.md",
    ...{ after: "| Field | Type | Plan | |\n|---|---|---|---|\n", before: "\n" },
    lines: [
      ...FIELDS.map(([name, { type, plan, note }]) => fieldRow(name, type, plan, note)),
      fieldRow("partial", "`true`", "all", PARTIAL_NOTE),
    ],
  },
  {
    file: "docs/api.md",
    ...{ after: "| Status | Code | Meaning |\n|---|---|---|\n", before: "\n" },
    lines: Object.entries(ERROR_CATALOG).map(
      ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning.replace(/\. .*$/, ".")} |`,
    ),
  },
  {
    file: "docs/troubleshooting.md",
    ...{ after: "| Code | What operators can do |\n|---|---|\n", before: "\n" },
    lines: ERRORS.flatMap(([code, { operators }]) => (operators ? [`| \`${code}\` | ${operators} |`] : [])),
  },
  {
    file: "infra/kubernetes/overlays/monitoring/prometheus-rule.yaml",
    ...{ after: "  groups:\n", before: "    - name: expected\n" },
    // As text, so that comments stay.
    lines: ALERTS.slice(ALERTS.indexOf("groups:\n") + "groups:\n".length)
      .trimEnd()
      .replace(/^(?=.)/gm, "  ")
      .split("\n"),
  },
];

/** `main.ts` writes the parts; `main.ts --check` fails if a file is out of date. */
const isCheck = process.argv.includes("--check");
for (const { file, after, before, lines } of PARTS) {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  const [start, rest] = cut(text, after, file);
  const end = rest.startsWith(before) ? 0 : cut(rest, `\n${before}`, file)[0].length - before.length;
  const generated = start + lines.map((line) => `${line}\n`).join("") + rest.slice(end);
  if (generated === text) continue;
  if (isCheck) {
    console.error(`${file} doesn't match what it is generated from. Run \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  } else writeFileSync(path, generated);
}

/** The text up to the end of a mark, and the text after it. */
function cut(text: string, mark: string, file: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`${file} has no ${JSON.stringify(mark)}`);
  return [text.slice(0, at + mark.length), text.slice(at + mark.length)];
}

function typeLines([name, { type, schema, note }]: readonly [string, FieldEntry]): string[] {
  const value =
    schema?.enum?.map((each) => `"${each}"`).join(" | ") ?? (type === "array of strings" ? "string[]" : type);
  return [`  /** ${note} */`, `  ${name}: ${value} | null;`];
}

function fieldRow(name: string, type: string, plan: string, note: string): string {
  return `| \`${name}\` | ${type} | ${plan} | ${note} |`;
}
