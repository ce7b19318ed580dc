import { commaSeparated } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { type CsvError, parse } from "csv-parse/sync";
import { EXPIRY_FORM, expiryOf } from "../../values.ts";
import type { IssueRequest } from "../admin-client.ts";

/** Keys to issue, as in a line of a CSV file. */
export interface KeyRow {
  /** Where it was declared, such as "line 3", for messages. Empty: not in a file. */
  place: string;
  request: IssueRequest;
  /** Whether it expires some time after it is prepared, so that its expiry differs each time. */
  isExpiryRelative: boolean;
  /** The key, if it was prepared before. */
  prepared?: { keyId: string; secret: string } | undefined;
}

export const MAX_FILE_BYTES = 32 * 2 ** 20;
const MAX_ROWS = 100_000;
const MAX_ROW_CHARACTERS = 64 * 1_024;
const MAX_SHOWN = 20;
const METADATA = "metadata.";
const COLUMNS = ["kind", "plan", "label", "origins", "forward", "expires", "customer", "key_id", "key"];
const FORWARD: Readonly<Record<string, boolean>> = { "": false, no: false, yes: true };
/** A spreadsheet would take such a cell for a formula, so it is written behind an apostrophe. */
const FORMULA = /^'*[=+\-@\t\r]/;

const origins = commaSeparated();

/**
 * Reads a CSV file of keys: a line with the names of the columns, then a line for each key. The columns are those of `keysCsv`, in any
 * order; all but `kind` may be missing, and so may `key_id` and `key`, which only prepared keys have.
 * @param source its path, for messages.
 * @throws StartError with every invalid line.
 */
export function parseKeysCsv(bytes: Uint8Array, source: string, nowMs: number): KeyRow[] {
  const { rows, problems } = readKeysCsv(bytes, source, nowMs);
  if (problems.length > 0) throw invalidFile(source, problems);
  return rows;
}

/** The same, with the valid lines and the problems of the others. @throws StartError for a file that can't be read by lines */
export function readKeysCsv(bytes: Uint8Array, source: string, nowMs: number) {
  const problems: Problem[] = [];
  const rows = readLines(bytes, source).flatMap(({ record, info }) => {
    const before = problems.length;
    const row = rowOf(record, `line ${info.lines}`, nowMs, problems);
    return problems.length === before ? [row] : [];
  });
  return { rows, problems };
}

export interface Problem {
  /** Of the row. */
  place: string;
  message: string;
}

/** Names the problems of a file. */
export function invalidFile(source: string, problems: readonly Problem[]): StartError {
  const sorted = problems.toSorted((a, b) => a.place.localeCompare(b.place, "en", { numeric: true }));
  const all = [...new Set(sorted.map(({ place, message }) => `\n  ${place}${place && ": "}${message}`))];
  const more = all.length > MAX_SHOWN ? `\n  and ${all.length - MAX_SHOWN} more` : "";
  return new StartError(`${source} is invalid, so nothing was changed:${all.slice(0, MAX_SHOWN).join("")}${more}`);
}

/** Prepared keys as a CSV file, which `parseKeysCsv` reads. */
export function keysCsv(rows: readonly KeyRow[]): string {
  const names = [...new Set(rows.flatMap(({ request }) => Object.keys(request.metadata ?? {})))].sort();
  const header = [...["key_id", "key", "kind", "plan", "label", "origins", "forward", "expires", "customer"]];
  const lines = rows.map(({ request, prepared }) => [
    ...[prepared?.keyId, prepared?.secret, request.kind, request.plan, request.label, request.origins?.join(",")],
    ...[request.mayForward ? "yes" : "", request.expiresAt, request.customer],
    ...names.map((name) => request.metadata?.[name]),
  ]);
  return [[...header, ...names.map((name) => METADATA + name)], ...lines].map(csvLine).join("");
}

function csvLine(cells: readonly (string | undefined)[]): string {
  const quoted = cells.map((cell = "") => {
    const text = FORMULA.test(cell) ? `'${cell}` : cell;
    return /^\s|\s$|[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(",")}\n`;
}

function readLines(bytes: Uint8Array, source: string) {
  if (bytes.length > MAX_FILE_BYTES) throw new StartError(`${source} is too large: it may have 32 MB`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\0")) throw new StartError(`${source} isn't a CSV file: it contains a NUL character`);
    const lines: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      columns: (names: string[]) => checkedColumns(names, source),
      info: true,
      max_record_size: MAX_ROW_CHARACTERS,
      skip_empty_lines: true,
      to: MAX_ROWS + 1,
      trim: true,
    });
    if (lines.length > MAX_ROWS) throw new StartError(`${source} has more than ${MAX_ROWS} keys`);
    if (lines.length === 0) throw new StartError(`${source} has no keys`);
    return lines;
  } catch (error) {
    if (error instanceof StartError) throw error;
    if ((error as Error).name !== "CsvError" && !(error as CsvError).code?.startsWith("CSV_"))
      throw new StartError(`${source} isn't a CSV file in UTF-8: ${(error as Error).message}`);
    const { lines = 1, message } = error as CsvError & { lines?: number };
    throw invalidFile(source, [{ place: `line ${lines}`, message: firstLineOf(message) }]);
  }
}

function checkedColumns(names: readonly string[], source: string): string[] {
  const found = names.map((name) => name.trim());
  const unknown = found.filter((name) => !COLUMNS.includes(name) && !(name.startsWith(METADATA) && name !== METADATA));
  const repeated = found.filter((name, index) => found.indexOf(name) !== index);
  const message = [
    ...unknown.map((name) => `${JSON.stringify(name.slice(0, 50))} isn't a column`),
    ...repeated.map((name) => `the column ${name} is there twice`),
    ...(found.includes("kind") ? [] : ["the column kind is missing"]),
    ...(found.includes("key_id") === found.includes("key") ? [] : ["of key_id and key, one is missing"]),
  ].slice(0, MAX_SHOWN);
  if (message.length === 0) return found;
  const known = [...COLUMNS.slice(0, -2), `${METADATA}NAME`].join(", ");
  throw new StartError(
    `${source} is invalid, so nothing was changed: ${message.join("; ")}. The first line names the columns: ${known}`,
  );
}

function rowOf(cells: Record<string, string>, place: string, nowMs: number, problems: Problem[]): KeyRow {
  const cell = (name: string) => {
    const text = cells[name] ?? "";
    return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
  };
  const wrong = (message: string) => problems.push({ place, message });
  const kind = cell("kind");
  if (kind !== "publishable" && kind !== "secret") wrong("kind must be publishable or secret");
  const mayForward = FORWARD[cell("forward")];
  if (mayForward === undefined) wrong("forward must be yes or no");
  const expires = cell("expires");
  const expiresAt = expires === "" ? "" : expiryOf(expires, nowMs);
  if (expiresAt === null) wrong(`expires must be ${EXPIRY_FORM}`);
  const metadata = Object.keys(cells).flatMap((column) =>
    column.startsWith(METADATA) && cell(column) !== "" ? [[column.slice(METADATA.length), cell(column)]] : [],
  );
  const keyId = cell("key_id");
  const secret = cell("key");
  if ((keyId === "") !== (secret === "") || ("key_id" in cells && keyId === "")) wrong("key_id and key are needed");
  return {
    place,
    request: {
      ...{ kind, plan: cell("plan"), label: cell("label"), origins: origins.parse(cell("origins")) },
      ...(mayForward && { mayForward }),
      ...{ expiresAt: expiresAt ?? "", customer: cell("customer"), metadata: Object.fromEntries(metadata) },
    },
    isExpiryRelative: /^\d+[dhms]$/.test(expires),
    prepared: keyId === "" ? undefined : { keyId, secret },
  };
}

function firstLineOf(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 200);
}
