import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "../..");

/** How long a service may take to become ready. */
const READY_TIMEOUT_MS = 60_000;
/** Longer than the 10 s a service gives itself to close. */
const STOP_TIMEOUT_MS = 12_000;

export interface Child {
  name: string;
  pid: number;
  port: number;
  opsPort: number;
  /** Resolves when the process has ended, with a description of how. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts one service and waits until it says that it is ready. Its log lines go to standard error
 * under its name.
 * @throws Error when it ends or stays silent instead.
 */
export async function startChild(name: string, service: string, environment: NodeJS.ProcessEnv): Promise<Child> {
  const child = spawn(process.execPath, [join(ROOT, `services/${service}/src/main.ts`)], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const ended = once(child, "exit").then(([status, signal]) =>
    signal ? `${name} was ended by ${signal}` : `${name} ended with status ${status}`,
  );
  const ready = readyLine(name, child);
  const timeout = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  const outcome = await Promise.race([ready, ended]);
  clearTimeout(timeout);
  if (typeof outcome === "string") throw new Error(`${outcome} before it was ready`);
  return {
    name,
    pid: child.pid as number,
    ...outcome,
    ended,
    stop: async () => {
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Passes the log on, line by line, and picks out the ports from the line that says `ready`. */
function readyLine(name: string, child: ChildProcess): Promise<{ port: number; opsPort: number }> {
  return new Promise((resolve) => {
    if (!child.stderr) throw new Error("the child's standard error is not a pipe");
    createInterface({ input: child.stderr }).on("line", (line) => {
      process.stderr.write(`${name.padEnd(8)} | ${line}\n`);
      if (!line.includes('"msg":"ready"')) return;
      const { port, opsPort } = JSON.parse(line);
      resolve({ port, opsPort });
    });
  });
}
