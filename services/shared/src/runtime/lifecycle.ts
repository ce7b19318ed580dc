import type { Logger } from "./log.ts";
import { StartError } from "./start-error.ts";

/** How long a service may take to close after SIGTERM before it is ended regardless. */
const CLOSE_TIMEOUT_MS = 10_000;

export interface Running {
  close(): Promise<void>;
}

/**
 * A process's life: start, then close on SIGTERM or SIGINT, then exit. A StartError prints its
 * message alone and exits 1; any other failure prints its stack and exits 1.
 */
export async function runMain(service: string, start: () => Promise<Running>): Promise<void> {
  let running: Promise<Running> | undefined;
  let closing = false;
  const stop = async () => {
    if (closing) return;
    closing = true;
    setTimeout(() => {
      process.stderr.write(`${service}: did not close within ${CLOSE_TIMEOUT_MS} ms\n`);
      process.exit(1);
    }, CLOSE_TIMEOUT_MS).unref();
    try {
      await (await running)?.close();
      process.exit(0);
    } catch (error) {
      fail(service, error);
    }
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  process.on("unhandledRejection", (error) => fail(service, error));
  try {
    running = start();
    await running;
  } catch (error) {
    fail(service, error);
  }
}

function fail(service: string, error: unknown): never {
  const text = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${service}: ${text}\n`);
  process.exit(1);
}

/** Runs `work` every `intervalMs` after the last run ended, until closed. A failure is logged and does not stop it. */
export function repeat(intervalMs: number, work: () => Promise<void> | void, log: Logger): { close(): Promise<void> } {
  let closed = false;
  let current: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(() => {
      current = (async () => {
        try {
          await work();
        } catch (error) {
          log.error({ err: error }, "a repeated task failed; it will be tried again");
        }
        if (!closed) schedule();
      })();
    }, intervalMs);
    timer.unref();
  };
  schedule();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await current;
    },
  };
}
