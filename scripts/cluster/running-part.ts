import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Part } from "./parts.ts";

/** How long a part may take to become ready. */
const READY_TIMEOUT_MS = 60_000;
/** Longer than the 10 s that a service may take to close. */
const STOP_TIMEOUT_MS = 12_000;
const PROBE_INTERVAL_MS = 20;
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Runs a command that Linux sends SIGTERM to when this process ends, even if it is killed. setpriv is part of util-linux. It exits with
 * status 127 if the command isn't in PATH.
 */
const SETPRIV = ["setpriv", "--pdeathsig", "TERM", "--"] as const;
const NOT_FOUND = 127;

const DEBIAN_PACKAGES: Readonly<Record<string, string>> = {
  "redis-server": "redis-server",
  "nats-server": "nats-server",
};

/** A part's process. */
export interface RunningPart {
  part: Part;
  pid: number;
  /** Resolves when it is ready. Rejects if it ends first, or isn't ready within a minute. */
  ready: Promise<void>;
  /** Resolves when the process has ended, with a description of how. */
  ended: Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL after 12 s. Resolves when it has ended, with a description of how. */
  stop(): Promise<string>;
}

/** @param onLine called with every line that the part prints. */
export type RunPart = (part: Part, onLine: (part: Part, line: string) => void) => RunningPart;

/** Unknown until the first part starts. */
let hasSetpriv: boolean | undefined;

/**
 * Starts a part. It doesn't receive the terminal's Ctrl-C, so that the caller can stop the parts in order. On Linux, it ends if the
 * caller is killed.
 * @param onLine called with every line that it prints.
 */
export function runPart(part: Part, onLine: (part: Part, line: string) => void): RunningPart {
  mkdirSync(part.folder, { recursive: true });
  const [setpriv, ...options] = SETPRIV;
  hasSetpriv ??= spawnSync(setpriv, [...options, "true"]).status === 0;
  const [command, args] = hasSetpriv ? [setpriv, [...options, part.command, ...part.args]] : [part.command, part.args];
  const child = spawn(command, args, {
    env: part.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const saidReady = Promise.withResolvers<void>();
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on("line", (line) => {
      onLine(part, line);
      if (line.includes('"msg":"ready"')) saidReady.resolve();
    });
  const ended = endOf(part, child);
  return {
    part,
    pid: child.pid ?? 0,
    ready: readiness(part, part.opsPort === null ? untilResponding(part.port, ended) : saidReady.promise, ended),
    ended,
    signal: (signal) => void child.kill(signal),
    async stop() {
      const timer = setTimeout(() => {
        onLine(part, `${part.name} did not end within ${STOP_TIMEOUT_MS} ms of SIGTERM; killing it`);
        child.kill("SIGKILL");
      }, STOP_TIMEOUT_MS);
      child.kill("SIGTERM");
      const how = await ended;
      clearTimeout(timer);
      return how;
    },
  };
}

function endOf({ name, command }: Part, child: ChildProcess): Promise<string> {
  const debianPackage = DEBIAN_PACKAGES[command];
  const notFound =
    debianPackage && `cannot run ${command}: it is not in PATH; on Debian: apt-get install ${debianPackage}`;
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve((error.code === "ENOENT" && notFound) || `cannot run ${command}: ${error.message}`),
    );
    child.once("exit", (status, signal) =>
      resolve(
        (status === NOT_FOUND && notFound) ||
          (signal ? `${name} was ended by ${signal}` : `${name} ended with status ${status}`),
      ),
    );
  });
}

async function readiness({ name }: Part, isReady: Promise<void>, ended: Promise<string>): Promise<void> {
  const timeout = new AbortController();
  const tooLate = delay(READY_TIMEOUT_MS, `${name} wasn't ready within ${READY_TIMEOUT_MS / 1000} s`, {
    signal: timeout.signal,
    ref: false,
  });
  const failure = await Promise.race([isReady, ended, tooLate]);
  tooLate.catch(() => {});
  timeout.abort();
  if (failure !== undefined) throw new Error(failure);
}

/**
 * Resolves once the store on a port responds: Redis with `+PONG`, NATS with `INFO …`. A store that requires TLS closes the
 * connection instead.
 */
async function untilResponding(port: number, ended: Promise<string>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && !(await isResponding(port))) await delay(PROBE_INTERVAL_MS);
}

function isResponding(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const done = (responded: boolean) => {
      socket.destroy();
      resolve(responded);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => done(false));
    let isConnected = false;
    socket.once("connect", () => {
      isConnected = true;
    });
    socket.once("data", (data: Buffer) => done(/^(\+PONG|INFO )/.test(data.toString())));
    socket.once("error", () => done(isConnected));
    socket.once("end", () => done(true));
  });
}
