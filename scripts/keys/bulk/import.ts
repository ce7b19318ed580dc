import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { type CommandContext, printResult } from "../../command-line.ts";
import { readInput } from "../../read-input.ts";
import { openAuth } from "../admin-client.ts";
import { issueSaved, prepare } from "./issue-prepared.ts";
import { MAX_FILE_BYTES, readKeysCsv } from "./key-csv.ts";

/**
 * Issues the keys of a CSV file. With prepared keys in it, it finishes an interrupted import.
 * @param path "-": standard input.
 * @throws StartError, ServiceError, CommandLineError
 */
export async function runImport(context: CommandContext, path: string, asJson = false): Promise<number> {
  const source = path === "-" ? "standard input" : path;
  const bytes = await readInput(path, MAX_FILE_BYTES, context.environment);
  const { rows, problems } = readKeysCsv(bytes, source, systemClock());
  using service = openAuth(context.environment);
  // Auth names what is wrong with the other lines.
  if (problems.length > 0) await prepare(service, rows, source, problems);
  const file = rows.every(({ prepared }) => prepared) ? path : keysFileOf(path);
  const keys = await issueSaved(service, rows, { path: file, print: context.print }, source);
  const text = issuedText(keys.length, file);
  printResult(context, { json: { file, keys }, text, isBesideKeys: file === "-" }, asJson);
  return 0;
}

/** What is said when new keys are in a file. */
export function issuedText(count: number, file: string): string {
  const where = file === "-" ? "" : ` See ${file}: full keys can't be retrieved again.`;
  return `Issued ${count} ${count === 1 ? "key" : "keys"}.${where}\n`;
}

/** The file with the new keys, beside one that declares them. It has the whole name, so that x.csv and x.yaml don't share one. */
export function keysFileOf(path: string): string {
  return path === "-" ? path : `${path}.keys.csv`;
}
