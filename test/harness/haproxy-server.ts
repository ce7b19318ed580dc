import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { testAuthority } from "./certificates.ts";
import { startDebianServer } from "./debian-server.ts";
import { tempFolder } from "./temp-folder.ts";

export interface HaproxyServer extends AsyncDisposable {
  url: string;
  /** Replaces its worker, which stops gracefully, as `make upgrade` does. */
  reload(): void;
}

/**
 * Starts `haproxy` from PATH (Debian: package haproxy) with the product's configuration, without its Docker parts: it
 * listens on loopback and has one gateway, without DNS.
 * @param options.gatewayPort of the gateway, on loopback.
 * @param options.isTls whether its port uses TLS, with a certificate of the suites' authority.
 * @throws Error with its output if it doesn't start.
 */
export async function startHaproxy(options: {
  gatewayPort: number;
  docsUrl: string;
  isTls?: boolean;
}): Promise<HaproxyServer> {
  const port = await freePort();
  const { isTls = false } = options;
  const folder = tempFolder();
  const configuration = readFileSync("infra/haproxy/haproxy.cfg", "utf8")
    .replace("bind :8080", `bind 127.0.0.1:${port}${isTls ? ` ssl crt ${writeCertificate(folder)}` : ""}`)
    .replace("bind :9464", `bind 127.0.0.1:${await freePort()}`)
    .replace(/^ {2}server-template .*\n/m, "")
    .replace(/^ {2}server any .*$/m, `  server any 127.0.0.1:${options.gatewayPort} no-check`)
    .replaceAll(/^resolvers docker\n( .*\n)*/gm, "")
    .replace(/ resolvers docker\b.*/, "");
  const file = join(folder, "haproxy.cfg");
  const pidFile = join(folder, "haproxy.pid");
  writeFileSync(file, configuration);
  const end = await startDebianServer({
    program: "haproxy",
    args: ["-W", "-db", "-p", pidFile, "-f", file],
    environment: { PATH: process.env.PATH ?? "", DOCS_URL: options.docsUrl },
    isReady: () => listens(port),
  });
  return {
    url: `${isTls ? "https" : "http"}://127.0.0.1:${port}`,
    reload: () => void process.kill(Number(readFileSync(pidFile, "utf8")), "SIGUSR2"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** HAProxy requires a certificate and its key in one file. */
function writeCertificate(folder: string): string {
  const { certFile, keyFile } = testAuthority().issue();
  const file = join(folder, "certificate.pem");
  writeFileSync(file, readFileSync(certFile, "utf8") + readFileSync(keyFile, "utf8"), { mode: 0o600 });
  return file;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
