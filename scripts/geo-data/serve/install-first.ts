import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readCurrent } from "@geolookup/geo/databases/installed-databases.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

const COMMAND = join(import.meta.dirname, "../main.ts");
/** Publishers allow few downloads a day. Doubles with each further failure. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 60 * 60_000;

/**
 * Prepares data as at startup: installs it if there is none, or repairs it. Uses a separate process, so that responses aren't
 * delayed. Retries until there is data.
 * @param options.run for tests.
 * @throws the signal's reason.
 */
export async function installFirst(options: {
  log: Logger;
  signal: AbortSignal;
  run?: (signal: AbortSignal) => Promise<boolean>;
}): Promise<void> {
  const { log, signal, run = runStart } = options;
  for (let retryMs = FIRST_RETRY_MS; !(await run(signal)); retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    signal.throwIfAborted();
    log.warn({ retrySeconds: retryMs / 1_000 }, "geo data not installed; retrying");
    await delay(retryMs, undefined, { signal });
  }
  signal.throwIfAborted();
}

/** Whether a version is installed. */
export async function hasData(folder: string): Promise<boolean> {
  return await readCurrent(folder).then(
    () => true,
    () => false,
  );
}

/** @returns whether it was successful. */
async function runStart(signal: AbortSignal): Promise<boolean> {
  const child = spawn(process.execPath, [COMMAND, "--or-keep"], { stdio: ["ignore", "ignore", "inherit"] });
  const end = () => child.kill();
  signal.addEventListener("abort", end);
  try {
    const [status] = await once(child, "exit");
    return status === 0;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
