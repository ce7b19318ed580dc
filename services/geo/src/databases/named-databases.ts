import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";
import { compareKinds, DATA_KINDS, type DataKind, type OnLoss } from "./data-kinds.ts";
import type { Database } from "./database.ts";
import type { DatabaseChoice } from "./installed-databases.ts";
import { type OpenedFile, openFiles } from "./open-files.ts";
import { readWhole } from "./whole-file.ts";

/**
 * Opens the databases that an operator names.
 * @param options.threads how many are checked at a time; one by default.
 * @param options.onLoss called for a file that has lost a kind of data since it was last in use.
 * @throws StartError naming one that can't be used.
 */
export async function openNamed(
  { files, kindsFile }: Extract<DatabaseChoice, { files: unknown }>,
  { threads, signal, onLoss }: { threads?: number; signal?: AbortSignal | undefined; onLoss: OnLoss },
): Promise<OpenedFile[]> {
  const opened = await openFiles(files, { threads, signal });
  if (kindsFile === undefined) return opened;
  const kindsBefore = await readRememberedKinds(kindsFile);
  for (const { path, database } of opened) compareKinds(path, kindsBefore(path), database, onLoss);
  return opened;
}

const MAX_BYTES = 1_000_000;

const kindsByPath = z.record(z.string(), z.array(z.enum(DATA_KINDS)));

/** The kinds of data that files had when they were last in use, by absolute path; none if that can't be read. */
async function readRememberedKinds(file: string): Promise<(path: string) => readonly DataKind[]> {
  const remembered = await readWhole(file, MAX_BYTES)
    .then((whole) => new Map(Object.entries(kindsByPath.parse(JSON.parse(String(whole?.bytes))))))
    .catch(() => new Map<string, DataKind[]>());
  return (path) => remembered.get(resolve(path)) ?? [];
}

/** Remembers the kinds of data in the files in use. If that fails, it is logged, and the files are used anyway. */
export async function rememberKinds(
  file: string,
  files: readonly { readonly path: string; readonly database: Database }[],
  log: Logger,
): Promise<void> {
  const kinds = Object.fromEntries(files.map(({ path, database }) => [resolve(path), database.kinds]));
  try {
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, `${JSON.stringify(kinds, null, 2)}\n`, 0o644);
  } catch (error) {
    log.info({ file, problem: (error as Error).message }, "kinds of data not remembered for the next start");
  }
}
