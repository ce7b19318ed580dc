import { readSettingsFile } from "@geolookup/shared/runtime/env/settings-file.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { AuthMetrics } from "../metrics.ts";

const LOOK_EVERY_MS = 1_000;

/** What a small file means, kept up to date. */
export interface WatchedFile<Value> {
  current(): Value;
  close(): Promise<void>;
}

/**
 * Reads a file and goes on looking at it every second. A new content that is unreadable or refused
 * leaves the old value in place, said once in the log and in the metrics; it is looked at again,
 * so that it takes effect once what speaks against it is gone.
 * @param options.name for log and metrics, e.g. `plans`.
 * @param options.read what the text means; throws an Error in the operator's words.
 * @throws StartError when the file cannot be read or is refused now.
 */
export function openWatchedFile<Value>(options: {
  path: string;
  name: string;
  read: (text: string) => Value;
  log: Logger;
  metrics: Pick<AuthMetrics, "fileRefused" | "fileReloads">;
}): WatchedFile<Value> {
  const { path, name, read, log, metrics } = options;
  let { text, value } = readFileAs(name, path, read);
  let refusal = "";
  metrics.fileRefused.set({ file: name }, 0);

  const look = () => {
    try {
      const found = textOf(path);
      if (found !== text) {
        value = read(found);
        text = found;
        metrics.fileReloads.inc({ file: name, outcome: "taken" });
        log.info({ path }, `the ${name} file was reloaded`);
      }
      refusal = "";
      metrics.fileRefused.set({ file: name }, 0);
    } catch (error) {
      const { message } = error as Error;
      if (message === refusal) return;
      refusal = message;
      metrics.fileRefused.set({ file: name }, 1);
      metrics.fileReloads.inc({ file: name, outcome: "refused" });
      log.error({ path, reason: message }, `the ${name} file is refused; its old content stays in use`);
    }
  };
  const looking = repeat(LOOK_EVERY_MS, look, log);
  return { current: () => value, close: () => looking.close() };
}

/** Reads such a file once. @throws StartError when it cannot be read or is refused. */
export function readFileAs<Value>(name: string, path: string, read: (text: string) => Value) {
  try {
    const text = textOf(path);
    return { text, value: read(text) };
  } catch (error) {
    throw new StartError(`the ${name} file ${path} cannot be used: ${(error as Error).message}`);
  }
}

function textOf(path: string): string {
  try {
    return readSettingsFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new Error("there is no such file");
    throw error;
  }
}
