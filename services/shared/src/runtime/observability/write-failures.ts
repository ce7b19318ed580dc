import { Gauge, type Registry } from "@prometheus-io/client";
import type { Logger } from "./log.ts";

/** What an operator calls the errors of the system that writing a file can have. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EIO: "the disk has errors",
  EFBIG: "the file has reached its size limit",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
};

const METRIC = "geolookup_file_write_failing";

/** The files of a process that can't be written, and why. */
export interface WriteFailures {
  /** The first failure, and each one with another reason, is logged at once. */
  failed(path: string, error: unknown): void;
  succeeded(path: string): void;
}

/** Logs when a file can't be written and when it can be again, and has a metric for `./geolookup doctor` and alerts in between. */
export function exposeWriteFailures(registry: Registry, log: Logger): WriteFailures {
  const gauge =
    (registry.getSingleMetric(METRIC) as Gauge<"path" | "reason"> | undefined) ??
    new Gauge({
      name: METRIC,
      help: "1 while a file that the process needs can't be written, by path and reason. Missing while all can be.",
      labelNames: ["path", "reason"],
      registers: [registry],
    });
  const failing = new Map<string, string>();
  const succeeded = (path: string) => {
    const reason = failing.get(path);
    if (reason === undefined) return;
    failing.delete(path);
    gauge.remove({ path, reason });
    log.info({ path }, "file writable again");
  };
  return {
    failed(path, error) {
      const reason = reasonOf(error);
      if (failing.get(path) === reason) return;
      const previous = failing.get(path);
      if (previous !== undefined) gauge.remove({ path, reason: previous });
      failing.set(path, reason);
      gauge.set({ path, reason }, 1);
      log.error({ err: error, path, reason }, "file not writable");
    },
    succeeded,
  };
}

/** The first known reason in an error and its causes; otherwise the error's message. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (reason !== undefined) return reason;
  }
  return error instanceof Error ? error.message : String(error);
}
