import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "../../scripts/cluster/free-port.ts";
import type { SecureStores } from "./secure-stores.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const CONFIGURATION = fileURLToPath(new URL("../../infra/redis/redis.conf", import.meta.url));
const START_TIMEOUT_MS = 10_000;
/** Another process may bind the free port before redis-server does. */
const PORT_ATTEMPTS = 5;

/** A test's own redis-server, on loopback, with the product's configuration. Disposing of it kills it. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The current process. */
  readonly pid: number;
  /** Sends a signal (default SIGKILL); resolves when the process has exited, or immediately for SIGSTOP and SIGCONT. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it on the same port, with an empty memory. */
  restart(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts redis-server from PATH and waits until it responds.
 * @param options.args further settings, e.g. `["--requirepass", "…"]`.
 * @param options.secure makes it require TLS and a password, like these stores.
 * @throws Error with its output if it doesn't start.
 */
export async function startRedisServer(
  options: { port?: number; args?: readonly string[]; secure?: SecureStores["redis"] } = {},
): Promise<RedisServer> {
  const { args = [], secure } = options;
  // The default bus port may be taken.
  const busArgs = args.includes("--cluster-enabled") ? ["--cluster-port", String(await freePort())] : [];
  const argsFor = (port: number) => [...args, ...busArgs, ...(secure?.argsFor(port) ?? [])];
  const folder = tempFolder();
  let started = await startOnSomePort(options.port, folder, argsFor);
  const { port } = started;
  const end = async (signal: NodeJS.Signals) => {
    const { child } = started;
    if (!running.has(child)) return;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return started.child.pid ?? 0;
    },
    kill: async (signal = "SIGKILL") => {
      if (signal === "SIGSTOP" || signal === "SIGCONT") started.child.kill(signal);
      else await end(signal);
    },
    [Symbol.asyncDispose]: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGKILL");
      started = { child: await start(port, folder, argsFor(port)), port };
    },
  };
}

async function startOnSomePort(port: number | undefined, folder: string, argsFor: (port: number) => readonly string[]) {
  if (port !== undefined) return { child: await start(port, folder, argsFor(port)), port };
  for (let attempt = 1; ; attempt += 1) {
    const free = await freePort();
    try {
      return { child: await start(free, folder, argsFor(free)), port: free };
    } catch (error) {
      if (attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function start(port: number, folder: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(
    "redis-server",
    [CONFIGURATION, "--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...args],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  child.once("error", (error) => (output += error.message));
  child.once("close", () => running.delete(child));
  try {
    await waitFor(
      "redis-server",
      () => {
        if (!running.has(child)) return true;
        // Wait for its log first: on a port in use, another process would respond.
        return output.includes("Ready to accept connections") && responses(port);
      },
      START_TIMEOUT_MS,
    );
    if (!running.has(child)) throw new Error("redis-server exited immediately");
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
  return child;
}

/** Whether the server responds to PING with PONG, requires a password, or, if it requires TLS, closes the connection. */
function responses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
    });
    let isConnected = false;
    socket.once("connect", () => {
      isConnected = true;
    });
    socket.once("end", () => resolve(true));
    socket.once("error", () => resolve(isConnected));
  });
}
