import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { withChildren } from "../processes.ts";

/** Path in Debian's package nginx. */
export const NGINX = "/usr/sbin/nginx";
const START_TIMEOUT_MS = 10_000;

/**
 * Starts nginx with one worker process, like the other contestants, and without logs.
 * @param folder created for its files.
 * @param modules paths of modules to load.
 * @param http returns the contents of the `http` block for a port.
 */
export async function startNginxProcess(
  folder: string,
  http: (port: number) => string,
  modules: readonly string[] = [],
): Promise<{ port: number; pids: number[] } & AsyncDisposable> {
  mkdirSync(folder);
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    config,
    `${modules.map((path) => `load_module ${path};`).join("\n")}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  access_log off;
  keepalive_requests 1000000000;
  ${http(port)}
}
`,
  );
  const child = spawn(NGINX, ["-c", config, "-p", folder, "-e", "stderr"], { stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(child, "exit");
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with status ${child.exitCode}`);
    return accepts(port);
  };
  await waitFor("nginx to listen", isUp, START_TIMEOUT_MS);
  return {
    port,
    pids: withChildren(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => done(true)).once("error", () => done(false));
  });
}
