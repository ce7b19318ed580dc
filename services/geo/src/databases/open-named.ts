import type { DatabaseChoice } from "./installed-databases.ts";
import { type OpenedFile, openFiles } from "./open-files.ts";
import { compareKinds, type OnLoss } from "./reload-installed.ts";
import { readRememberedKinds } from "./remembered-kinds.ts";

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
