import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNatsSetup } from "../../scripts/nats-connection.ts";
import type { Settings } from "./deployment.ts";
import { type NatsUser, secureStores } from "./secure-stores.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

export const TEST_CONFIG = fileURLToPath(new URL("../../infra/nats/test.conf", import.meta.url));
const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 10_000;

/** A test's own nats-server, on loopback. Disposing of it kills it. */
export interface NatsServer extends AsyncDisposable {
  /** Stays the same across restarts. */
  url: string;
  port: number;
  /** JetStream's store. */
  folder: string;
  /** The current process. */
  readonly pid: number;
  /** Sends a signal (SIGKILL by default); resolves when the process has exited or, with SIGSTOP, has stopped. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Stops it gracefully, unless it has exited. */
  stop(): Promise<void>;
  /** Restarts it on the same port and folder. */
  restart(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts `nats-server` from PATH; resolves when it accepts connections, and has the streams unless it has a configuration of its own.
 * @param options.folder JetStream's store; default: a new one, removed when this process ends.
 * @param options.port default: the system's choice.
 * @param options.config path of its configuration; default: infra/nats/test.conf.
 * @param options.isEmpty leaves out the streams.
 * @param options.environment in addition to this process's own.
 * @throws Error with the server's log if it doesn't start.
 */
export async function startNatsServer(
  options: { folder?: string; port?: number; config?: string; environment?: Settings; isEmpty?: boolean } = {},
): Promise<NatsServer> {
  const folder = options.folder ?? tempFolder();
  const config = options.config ?? TEST_CONFIG;
  const { environment = {} } = options;
  let current = await launch({ folder, config, environment, port: options.port ?? -1 });
  const { port } = current;
  if (!options.config && !options.isEmpty) await setUpNats(`nats://127.0.0.1:${port}`);
  const end = async (signal: NodeJS.Signals) => {
    current.child.kill(signal);
    await current.ended;
  };
  const stop = async () => {
    const timer = setTimeout(() => current.child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await end("SIGTERM");
    clearTimeout(timer);
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder,
    get pid() {
      return current.child.pid ?? 0;
    },
    kill: async (signal = "SIGKILL") => {
      if (signal !== "SIGSTOP" && signal !== "SIGCONT") return end(signal);
      current.child.kill(signal);
      if (signal === "SIGSTOP") await waitFor("nats-server to stop", () => isStopped(current.child.pid), 5_000);
    },
    stop,
    restart: async () => {
      await stop();
      current = await launch({ folder, config, environment, port });
    },
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/**
 * Creates the streams, as an operator does.
 * @param isSecure whether the server has the accounts of infra/nats.
 * @param replicas how many servers store the streams.
 */
export async function setUpNats(url: string, isSecure = false, user: NatsUser = "setup", replicas = 1): Promise<void> {
  const environment = {
    NATS_URL: url,
    NATS_REPLICAS: `${replicas}`,
    ...(isSecure ? secureStores().nats.settingsOf(user) : {}),
  };
  await runNatsSetup({ environment, print: () => {}, printError: () => {} });
}

/** Whether every thread of a process is stopped; without /proc, assumes that they are. */
function isStopped(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((task) => /^State:\s+T/m.test(readFileSync(join(tasks, task, "status"), "utf8")));
}

async function launch(options: { folder: string; config: string; environment: Settings; port: number }) {
  const ports = join(options.folder, "ports");
  mkdirSync(ports, { recursive: true });
  const child = spawn(
    "nats-server",
    [
      "-c",
      options.config,
      "-a",
      "127.0.0.1",
      "-p",
      `${options.port}`,
      "-sd",
      options.folder,
      "--ports_file_dir",
      ports,
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...options.environment } },
  );
  running.add(child);
  let log = "";
  child.stderr.on("data", (data: Buffer) => {
    log += data.toString();
  });
  let failure: string | undefined;
  child.once("error", (error) => {
    failure = `cannot run nats-server (is it installed?): ${error.message}`;
  });
  child.once("exit", (status) => {
    failure ??= `nats-server ended with status ${status}:\n${log}`;
  });
  const ended = Promise.race([once(child, "exit").catch(() => undefined), once(child, "error")]).then(() => {
    running.delete(child);
  });
  const portsFile = join(ports, `nats-server_${child.pid}.ports`);
  const port = await waitFor("nats-server to listen", () => failure ?? boundPort(portsFile), START_TIMEOUT_MS);
  if (typeof port === "string") throw new Error(port);
  return { child, port, ended };
}

/** The port in the file that nats-server writes once it listens: `{"nats": ["nats://127.0.0.1:4222"], …}`. */
function boundPort(path: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const [url] = (JSON.parse(text) as { nats: string[] }).nats;
  return url === undefined ? undefined : Number(new URL(url.replace(/^tls:/, "nats:")).port);
}
