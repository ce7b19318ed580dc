import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { waitFor } from "./wait-for.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const STOP_TIMEOUT_MS = 15_000;
/** How much of an exited process's output an error includes. */
const MAX_OUTPUT = 2_000;

/** A Node process of the product, with its output so far. Disposing of it sends SIGTERM. */
export interface Child extends AsyncDisposable {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Exit status, or null while it runs or if a signal ended it. */
  exitCode(): number | null;
  hasEnded(): boolean;
  /** Resolves with the exit status once it has exited (null: by a signal). */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  /** Closes this end of its pipes, so that its further output fails. */
  closeOutput(): void;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** PATH, and the folder in which Node caches compiled code, which halves the startup time. */
export function inherited(): Record<string, string> {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
}

/** @returns the error of a call to this process; if it has exited, one that says so, with its last output. */
export function withExit(error: unknown, process: Child): unknown {
  if (!process.hasEnded()) return error;
  const lastOutput = process.stderr().slice(-MAX_OUTPUT);
  return new Error(`the process has exited (status ${process.exitCode()}); its last output:\n${lastOutput}`, {
    cause: error,
  });
}

/**
 * Runs a script of the repository with the current Node. Its environment is `environment`, plus the variables of `inherited`.
 * @param script path from the repository's root.
 */
export function startChild(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Child {
  return startProgram(process.execPath, [script, ...args], environment);
}

/** Runs a program of PATH in the same way. */
export function startProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Child {
  const child = spawn(program, args, {
    cwd: REPOSITORY,
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text: string) => {
      output[name] += text;
    });
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  let isKilled = false;
  const started: Child = {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exitCode: () => child.exitCode,
    hasEnded: () => !running.has(child),
    exited,
    kill: (signal) => {
      isKilled ||= signal === "SIGKILL";
      child.kill(signal);
    },
    closeOutput: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      if (isKilled) await exited;
      else if (!started.hasEnded()) await stopChild(started);
    },
  };
  return started;
}

/**
 * Waits until `probe` finds a match in the child's output.
 * @throws Error with the child's output when it ends first or takes too long.
 */
export async function waitForOutput<Result>(
  child: Child,
  what: string,
  probe: () => Result | undefined,
  deadlineMs: number,
): Promise<Result> {
  const shown = () => `\n--- stdout\n${child.stdout()}\n--- stderr\n${child.stderr()}`;
  try {
    const found = await waitFor(
      what,
      () => probe() ?? (child.hasEnded() ? { gone: true as const } : undefined),
      deadlineMs,
    );
    if (typeof found === "object" && found !== null && "gone" in found)
      throw new Error(`the process ended with status ${child.exitCode()} before ${what}`);
    return found as Result;
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`${(error as Error).message}${shown()}`, { cause: error });
  }
}

/** Lines of output in the message about a child that doesn't exit. */
const LINES_SHOWN = 20;

/**
 * Stops a child with SIGTERM. If it doesn't exit in time, it is killed, and this throws, with the processes that it may have been
 * waiting for.
 */
export async function stopChild(child: Child): Promise<number | null> {
  const { pid } = child;
  let descendants: string[] = [];
  child.kill("SIGTERM");
  const timer = setTimeout(() => {
    descendants = descendantsOf(pid);
    child.kill("SIGKILL");
  }, STOP_TIMEOUT_MS);
  const code = await child.exited;
  clearTimeout(timer);
  if (code === null) {
    const last = child.stderr().split("\n").slice(-LINES_SHOWN).join("\n");
    throw new Error(
      `process ${pid} did not end within ${STOP_TIMEOUT_MS} ms of SIGTERM; ` +
        `its descendants: ${descendants.join(", ") || "none"}; its last output:\n${last}`,
    );
  }
  return code;
}

/** The command lines of a process's descendants. */
function descendantsOf(pid: number): string[] {
  try {
    return pidsBelow(pid).map((each) => readFileSync(`/proc/${each}/cmdline`, "latin1").replaceAll("\0", " ").trim());
  } catch {
    // One has ended, or this isn't Linux.
    return ["unknown"];
  }
}

function pidsBelow(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return children === "" ? [] : children.split(" ").flatMap((child) => [Number(child), ...pidsBelow(Number(child))]);
}

/** The JSON log lines among a child's standard error, in order; other lines are left out. */
export function logLines(text: string): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  for (const line of text.split("\n")) {
    const start = line.indexOf("{");
    if (start < 0) continue;
    try {
      lines.push(JSON.parse(line.slice(start)) as Record<string, unknown>);
    } catch {
      // Not a log line: plain text for people.
    }
  }
  return lines;
}
