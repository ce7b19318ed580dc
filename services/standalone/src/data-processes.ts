import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DataCommand, DataCommands, DataJob } from "@geolookup/portal/console/settings.ts";
import { startCompanion } from "@geolookup/shared/runtime/lifecycle/companion.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

/** It isn't imported: services don't depend on commands. */
const GEO_DATA_COMMAND = join(import.meta.dirname, "../../../scripts/geo-data/main.ts");

/** Enough for a run; older lines are dropped. */
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 500;
const STOP_TIMEOUT_MS = 5_000;

/** Runs `geo-data` as a separate process, as `./geolookup data fetch` does. Disposal ends it; the data in use then stays. */
export function createDataCommands(script: string = GEO_DATA_COMMAND): DataCommands & AsyncDisposable {
  let job: { command: DataCommand; state: DataJob["state"]; lines: string[] } | null = null;
  let running: { kill: (signal: NodeJS.Signals) => unknown; ended: Promise<void> } | null = null;

  return {
    job: () => job,
    start(command) {
      if (running !== null) return false;
      const lines: string[] = [];
      const started = { command, state: "running" as DataJob["state"], lines };
      job = started;
      const child = spawn(process.execPath, [script, ...argumentsOf(command)], { stdio: ["ignore", "pipe", "pipe"] });
      // Requests come first, as with the daily refresh.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
      for (const input of [child.stdout, child.stderr])
        createInterface({ input }).on("line", (line) => {
          lines.push(line.replace(/^geo-data: /, "").slice(0, MAX_LINE_LENGTH));
          if (lines.length > MAX_LINES) lines.shift();
        });
      const ended = new Promise<void>((resolve) => {
        const end = (state: DataJob["state"]) => {
          started.state = state;
          running = null;
          resolve();
        };
        child.once("error", (error) => {
          lines.push(`Couldn't start the command: ${error.message}`);
          end("failed");
        });
        child.once("close", (status) => end(status === 0 ? "succeeded" : "failed"));
      });
      running = { kill: (signal) => child.kill(signal), ended };
      return true;
    },
    async [Symbol.asyncDispose]() {
      if (running === null) return;
      const { kill, ended } = running;
      kill("SIGTERM");
      const timer = setTimeout(() => kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function argumentsOf(command: DataCommand): string[] {
  return "update" in command ? ["fetch", "--update"] : ["rollback", "--to", command.version];
}

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
