import { type ChildProcess, spawn } from "node:child_process";

/** Delay before a companion that exited unexpectedly is restarted; doubles each time, up to the maximum. */
const FIRST_RESTART_MS = 60_000;
const MAX_RESTART_MS = 60 * 60 * 1_000;
/** After a companion has run for this long, the delay is reset. */
const HEALTHY_AFTER_MS = 24 * 60 * 60 * 1_000;
const STOP_TIMEOUT_MS = 5_000;

export interface Companion extends AsyncDisposable {
  /** Of the current or last process; 0 if it hasn't been started or can't be. */
  readonly pid: number;
}

/**
 * Keeps a process running beside this one, for work that must not use this one's CPU time. It gets this process's environment,
 * working directory and standard error, and a channel: when the channel closes, it must exit. The channel closes when this process
 * ends, for any reason.
 * @param options.script the file that Node runs.
 * @param options.delayMs how long to wait before the first start.
 * @param options.onEnd called when it exited unexpectedly, with a description, and the seconds until it is restarted.
 * @returns an object whose disposal ends it, and resolves when it has ended.
 */
export function startCompanion(options: {
  script: string;
  args: readonly string[];
  onEnd: (how: string, restartSeconds: number) => void;
  delayMs?: number;
  firstRestartMs?: number;
}): Companion {
  const { script, args, onEnd, delayMs = 0, firstRestartMs = FIRST_RESTART_MS } = options;
  let restartMs = firstRestartMs;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | undefined;
  let ended = Promise.resolve();

  const start = () => {
    const startedMs = performance.now();
    const started = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child = started;
    // This process may end without it, which closes the channel.
    started.unref();
    started.channel?.unref();
    ended = new Promise((resolve) => {
      const end = (how: string) => {
        resolve();
        if (isStopping) return;
        if (performance.now() - startedMs > HEALTHY_AFTER_MS) restartMs = firstRestartMs;
        onEnd(how, Math.round(restartMs / 1_000));
        startLater(restartMs);
        restartMs = Math.min(restartMs * 2, MAX_RESTART_MS);
      };
      started.once("error", (error) => end(`can't be started: ${error.message}`));
      started.once("exit", (status, signal) => end(signal ? `ended by ${signal}` : `ended with status ${status}`));
    });
  };
  const startLater = (ms: number) => {
    timer = setTimeout(start, ms);
    timer.unref();
  };
  if (delayMs > 0) startLater(delayMs);
  else start();

  return {
    get pid() {
      return child?.pid ?? 0;
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      clearTimeout(timer);
      const kill = setTimeout(() => child?.kill("SIGKILL"), STOP_TIMEOUT_MS);
      child?.ref();
      if (child?.connected) child.disconnect();
      await ended;
      clearTimeout(kill);
    },
  };
}
