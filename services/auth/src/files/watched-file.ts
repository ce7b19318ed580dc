import { readSettingsFile } from "@geolookup/shared/runtime/files/files.ts";
import { currentSignature, watchFiles } from "@geolookup/shared/runtime/files/watch-files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { AuthMetrics } from "../metrics.ts";

const POLL_INTERVAL_MS = 1_000;

/** The parsed content of a small file, kept up to date. */
export interface WatchedFile<Value> extends AsyncDisposable {
  current(): Value;
  /** Checks the file once; this happens every second anyway. */
  poll(): Promise<void>;
}

/**
 * Reads a file and watches it. If a new content can't be read or is invalid, the old value stays in use; the file
 * is logged, counted and retried, so that it takes effect as soon as it is valid.
 * @param options.name for log and metrics, e.g. `plans`.
 * @param options.onChange called after a new content was taken.
 * @param options.parse throws an Error in the operator's words.
 * @throws StartError if the file can't be read or is invalid now.
 */
export async function openWatchedFile<Value>(options: {
  path: string;
  name: string;
  parse: (text: string) => Value;
  onChange?: () => void;
  log: Logger;
  metrics: Pick<AuthMetrics, "fileRefused">;
}): Promise<WatchedFile<Value>> {
  const { path, name, parse, log, metrics } = options;
  const signature = await currentSignature([path]);
  let current = readFileAs(name, path, parse);
  metrics.fileRefused.set({ file: name }, 0);

  const pollFile = watchFiles({
    paths: [path],
    signature,
    read: () => {
      const text = textOf(path);
      return text === current.text ? current : { text, value: parse(text) };
    },
    use: (found) => {
      metrics.fileRefused.set({ file: name }, 0);
      if (found === current) return;
      current = found;
      log.info({ path }, `${name} file reloaded`);
      options.onChange?.();
    },
    onRefused: ({ message }) => {
      metrics.fileRefused.set({ file: name }, 1);
      log.error({ path, reason: message }, `${name} file can't be used; its previous content stays in use`);
    },
    retriesRefused: true,
  });
  const poll = async () => void (await pollFile());
  const polling = repeat(POLL_INTERVAL_MS, poll, log);
  return { current: () => current.value, poll, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() };
}

/** Reads such a file once. @throws StartError if it can't be read or is invalid. */
export function readFileAs<Value>(
  name: string,
  path: string,
  parse: (text: string) => Value,
): { text: string; value: Value } {
  try {
    const text = textOf(path);
    return { text, value: parse(text) };
  } catch (error) {
    throw new StartError(`the ${name} file ${path} can't be used: ${(error as Error).message}`);
  }
}

function textOf(path: string): string {
  try {
    return readSettingsFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new Error("it doesn't exist");
    throw error;
  }
}
