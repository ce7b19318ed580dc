import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { testAuthority } from "./certificates.ts";
import { startDebianServer } from "./debian-server.ts";
import { send } from "./http.ts";
import { sample } from "./samples.ts";
import { tempFolder } from "./temp-folder.ts";

/** The folder of the clients in other languages than JavaScript. */
export const CLIENTS = "packages/clients";
/** Debian's own Python has Debian's modules. */
export const PYTHON = "/usr/bin/python3";

/** Without cgo, which needs a C compiler. */
export function goEnvironment() {
  return { ...process.env, CGO_ENABLED: "0" };
}

/** Builds the program `main` in a folder. */
export function buildGo(folder: string): void {
  execFileSync("go", ["build", "-o", "main", "."], { cwd: folder, env: goEnvironment(), stdio: "pipe" });
}

/** Starts a program in a folder, to whose file `output` it writes. */
export async function startIn(
  folder: string,
  command: readonly [string, ...string[]],
  key: string,
  isReady: () => Promise<boolean>,
) {
  const script = 'cd "$1" && shift && PYTHONUNBUFFERED=1 exec "$@" >output 2>&1';
  const { caFile } = testAuthority();
  try {
    const args = ["-c", script, "sh", folder, ...command];
    const stop = await startDebianServer({
      program: "sh",
      args,
      environment: { ...process.env, GEO_KEY: key, SSL_CERT_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile },
      isReady,
    });
    return () => stop("SIGKILL");
  } catch (error) {
    const output = readFileSync(join(folder, "output"), "utf8");
    throw new Error(`${command.join(" ")} did not start: ${output}`, { cause: error });
  }
}

/** nginx in front of an application. The header X-Visitor sets the address that its clients connect from. */
export async function startNginx(appPort: number) {
  const port = await freePort();
  const folder = tempFolder();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  writeFileSync(
    join(folder, "nginx.conf"),
    `pid ${folder}/nginx.pid; error_log stderr; daemon off; master_process off;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  set_real_ip_from 127.0.0.1;
  real_ip_header X-Visitor;
  server {
    listen 127.0.0.1:${port};
    ${sample("/back-end", "location / {").replace("8000", `${appPort}`)}
  }
}
`,
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = await startDebianServer({
    program: "nginx",
    args: ["-c", join(folder, "nginx.conf")],
    environment: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    isReady: () => send(url, { path: "/" }).then(Boolean, () => false),
  });
  return { url, stop: () => stop("SIGKILL") };
}
