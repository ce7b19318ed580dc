import { type ChildProcess, spawn } from "node:child_process";

/** Before a companion that ended by itself is started again; doubles with each further time, up to the longest. */
const FIRST_RESTART_MS = 60_000;
const MAX_RESTART_MS = 60 * 60 * 1_000;
/** A companion that ran for so long has earned the first delay again. */
const HEALTHY_AFTER_MS = 24 * 60 * 60 * 1_000;
const STOP_TIMEOUT_MS = 5_000;

export interface Companion extends AsyncDisposable {
  /** Of the process that runs now, or ran last; 0 if it wasn't started yet, or can't be. */
  readonly pid: number;
}

/**
 * Keeps a process running beside this one, for work that must not take this one's CPU. It gets this process's environment, working
 * directory and standard error, and a channel: when that closes, it must end. The channel closes with this process, whatever ends it.
 * @param options.script the file that Node runs.
 * @param options.delayMs how long to wait before the first start.
 * @param options.onEnd called when it ended by itself, with a description of how, and after how many seconds it is started again.
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
