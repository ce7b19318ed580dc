import { join } from "node:path";
import { startCompanion } from "@geolookup/shared/runtime/lifecycle/companion.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

/** It isn't imported: services don't depend on commands, and requests must not wait for a download. */
const GEO_DATA_COMMAND = join(import.meta.dirname, "../../../scripts/geo-data/main.ts");

/** Starts the process that refreshes the installed data (docs/data.md). The locator notices what it installs. */
export function startDataRefresh(log: Logger): AsyncDisposable {
  return startCompanion({
    script: GEO_DATA_COMMAND,
    args: ["refresh"],
    onEnd: (how, restartSeconds) => log.warn({ how, restartSeconds }, "geo data refresh ended; restarting it later"),
  });
}
