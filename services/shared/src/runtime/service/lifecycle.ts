import { execFile } from "node:child_process";
import { findMisnamedSettings } from "../env/misnamed-settings.ts";
import { StartError } from "../lifecycle/start-error.ts";
import { createLog, type Logger } from "../observability/log.ts";

/** How long a service may take to close after SIGTERM before it is killed. */
const CLOSE_TIMEOUT_MS = 10_000;

const CHECK = "--check";

/** A service, as run by its main.ts. Each part throws a StartError if the operator can fix the problem. */
export interface Service<Config> {
  readConfig(environment: NodeJS.ProcessEnv, args: readonly string[]): Config;
  /** Its own option, for readConfig. */
  option?: string;
  /** Reads the files that the settings name, as start() does, and changes nothing. */
  checkFiles?(config: Config): Promise<void> | void;
  /** @param stopping a slow startup throws when this aborts. */
  start(config: Config, stopping: AbortSignal): Promise<AsyncDisposable>;
}

/**
 * Runs a process: starts the service, closes it on SIGTERM or SIGINT, and exits. A StartError prints only its
 * message and exits 1; any other failure prints its stack and exits 1. Variables that look like settings but aren't are
 * logged. With the option `--check`, it reads the
 * settings and the files that they name, and exits: 0 if it could start with them. Any other argument prints a message and
 * exits 2.
 */
export async function runMain<Config>(name: string, service: Service<Config>): Promise<void> {
  const args = process.argv.slice(2);
  const unknown = args.find((each) => each !== CHECK && each !== service.option);
  if (unknown !== undefined) {
    const what = unknown.startsWith("-")
      ? `unknown option ${unknown}`
      : `unexpected argument ${JSON.stringify(unknown)}`;
    process.stderr.write(`${name}: ${what}. The only option is ${CHECK}: check the configuration without starting\n`);
    process.exit(2);
  }
  let running: Promise<AsyncDisposable> | undefined;
  const stopping = new AbortController();
  const stop = async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    notifySystemd(name, "STOPPING=1");
    setTimeout(() => {
      process.stderr.write(`${name}: did not close within ${CLOSE_TIMEOUT_MS} ms\n`);
      process.exit(1);
    }, CLOSE_TIMEOUT_MS).unref();
    // An aborted start has already closed what it opened.
    const started = await running?.catch(() => undefined);
    try {
      await started?.[Symbol.asyncDispose]();
      process.exit(0);
    } catch (error) {
      fail(name, error);
    }
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  process.on("unhandledRejection", (error) => fail(name, error));
  try {
    const config = service.readConfig(process.env, args);
    for (const setting of findMisnamedSettings(process.env)) createLog(name, "warn").warn(setting, "unknown setting");
    if (args.includes(CHECK)) {
      await service.checkFiles?.(config);
      process.exit(0);
    }
    running = service.start(config, stopping.signal);
    await running;
    notifySystemd(name, "READY=1");
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    fail(name, error);
  }
}

function fail(name: string, error: unknown): never {
  const text = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${name}: ${text}\n`);
  process.exit(1);
}

/** Runs `work` until closed, each time `intervalMs` after the last run ended. Failures are logged. */
export function repeat(intervalMs: number, work: () => Promise<void> | void, log: Logger): AsyncDisposable {
  let closed = false;
  let current: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(() => {
      current = (async () => {
        try {
          await work();
        } catch (error) {
          log.error({ err: error }, "repeated task failed; retrying");
        }
        if (!closed) schedule();
      })();
    }, intervalMs);
    timer.unref();
  };
  schedule();
  return {
    [Symbol.asyncDispose]: async () => {
      closed = true;
      clearTimeout(timer);
      await current;
    },
  };
}

/**
 * Reports the state of this process to systemd, if systemd started it with Type=notify. It runs systemd-notify, since Node has
 * no Unix datagram sockets.
 * @param name of the process, for the message if that fails.
 */
export function notifySystemd(name: string, state: "READY=1" | "STOPPING=1"): void {
  if (!process.env.NOTIFY_SOCKET) return;
  execFile("systemd-notify", [state], (error) => {
    if (error) process.stderr.write(`${name}: systemd-notify ${state}: ${error.message}\n`);
  });
}
