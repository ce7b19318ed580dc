import type { DatabaseChoice } from "./installed-databases.ts";
import { compareKinds, type OnLoss, type OpenedFile, openFiles } from "./reload-installed.ts";
import { readRememberedKinds } from "./remembered-kinds.ts";

/**
 * Opens the databases that an operator names.
 * @param options.onLoss called for a file that has lost a kind of data since it was last in use.
 * @throws StartError naming the first that cannot be used.
 */
export async function openNamed(
  { files, kindsFile, timezonesFolder }: Extract<DatabaseChoice, { files: unknown }>,
  { signal, onLoss }: { signal?: AbortSignal | undefined; onLoss: OnLoss },
): Promise<OpenedFile[]> {
  const opened = await openFiles(files, { signal, timezonesFolder });
  if (kindsFile === undefined) return opened;
  const kindsBefore = await readRememberedKinds(kindsFile);
  for (const { path, database } of opened) compareKinds(path, kindsBefore(path), database, onLoss);
  return opened;
}
