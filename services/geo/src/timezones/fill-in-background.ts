import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { OpenedFile } from "../databases/open-files.ts";
import { computeMissingTimezones } from "./compute-missing.ts";

/** A service that is starting needs the processors for that. */
const DELAY_MS = 2_000;

/**
 * Computes missing time zones of the databases in use in the background. Lookups use the nearest zones meanwhile.
 * @param options.folder where they are stored for the next start; undefined if they aren't computed.
 * @param options.onComputed called when those of a database are used.
 */
export function fillInBackground(options: {
  folder: string | undefined;
  log: Logger;
  onComputed: () => void;
  delayMs?: number | undefined;
}) {
  const { folder, log, onComputed, delayMs = DELAY_MS } = options;
  const closing = new AbortController();
  const report = {
    onComputed: (file: string, records: number) => {
      onComputed();
      log.info({ file, records }, "time zones computed");
    },
    onFailed: (file: string, problem: string) =>
      log.info({ file, problem }, "time zones not computed; the nearest ones by a coarse grid stay in use"),
    onNotStored: (file: string, problem: string) =>
      log.info({ file, problem }, "time zones not stored; they are computed again at the next start"),
  };
  let files: readonly OpenedFile[] = [];
  let timer: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  const run = (storedIn: string) => {
    timer = null;
    running = running.then(() => computeMissingTimezones(files, storedIn, report, closing.signal));
  };
  return {
    /** Called whenever other databases are in use. */
    fill: (used: readonly OpenedFile[]): void => {
      files = used;
      if (folder !== undefined) timer ??= setTimeout(run, delayMs, folder);
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      closing.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
