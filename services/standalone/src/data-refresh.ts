import { join } from "node:path";
import { startCompanion } from "@geolookup/shared/runtime/lifecycle/companion.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

/** It isn't imported: requests must not wait for a download. */
const REFRESH = join(import.meta.dirname, "../../geo-data/src/refresh/main.ts");

/** Before a process that only makes reports starts. */
const REPORTS_DELAY_MS = 30_000;

/**
 * Starts the process that refreshes the installed data and makes reports about data (docs/data.md). The locator notices
 * what it installs.
 */
export function startDataRefresh(log: Logger, { onlyReports }: { onlyReports: boolean }): AsyncDisposable {
  return startCompanion({
    delayMs: onlyReports ? REPORTS_DELAY_MS : 0,
    script: REFRESH,
    args: [],
    onEnd: (how, restartSeconds) => log.warn({ how, restartSeconds }, "geo data refresh ended; restarting it later"),
  });
}
