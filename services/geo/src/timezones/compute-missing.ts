import { MAX_DATABASE_BYTES } from "../databases/database.ts";
import type { OpenedFile } from "../databases/open-files.ts";
import { computeInWorker } from "./compute-in-worker.ts";
import { storeTable } from "./table-folder.ts";
import { EMPTY_TABLE } from "./timezone-table.ts";

/** What happened, for the operator's log. */
export interface TimezoneReport {
  /** A database's time zones were computed, and are used. */
  onComputed: (path: string, records: number) => void;
  /** They weren't, and the nearest zones by a coarse grid stay in use. */
  onFailed: (path: string, problem: string) => void;
  /** They were, but can't be kept for the next start. */
  onNotStored: (path: string, problem: string) => void;
}

/**
 * Computes the time zones of the databases that have places, but no computed time zones: one database after another, in
 * a separate thread. They are used at once, and stored.
 * @param folder where they are stored.
 * @param signal aborts it; nothing is reported then.
 */
export async function computeMissingTimezones(
  files: readonly OpenedFile[],
  folder: string,
  { onComputed, onFailed, onNotStored }: TimezoneReport,
  signal?: AbortSignal,
): Promise<void> {
  for (const { path, sha256, database } of files) {
    if (!database.kinds.includes("places") || database.hasTimezones()) continue;
    try {
      const task = { path, sha256, maxBytes: MAX_DATABASE_BYTES };
      // An empty table is stored too, since the check of a known file doesn't show that it needs none.
      const table = database.needsTimezones ? await computeInWorker(task, { signal }) : EMPTY_TABLE;
      database.useTimezones(table);
      if (database.needsTimezones) onComputed(path, table.records.length);
      await storeTable(folder, sha256, table).catch((error: Error) => onNotStored(path, error.message));
    } catch (error) {
      if (signal?.aborted) return;
      onFailed(path, (error as Error).message);
    }
  }
}
