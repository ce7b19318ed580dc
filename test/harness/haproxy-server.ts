import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startDebianServer } from "./debian-server.ts";
import { tempFolder } from "./temp-folder.ts";

export interface HaproxyServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts `haproxy` from PATH (Debian: package haproxy) with the product's configuration, but for what is Docker's: it
 * listens on loopback and knows one gateway, without asking DNS.
 * @param options.gatewayPort of the gateway, on loopback.
 * @throws Error with what it printed when it does not start.
 */
export async function startHaproxy(options: { gatewayPort: number; docsUrl: string }): Promise<HaproxyServer> {
  const port = await freePort();
  const configuration = readFileSync("infra/haproxy/haproxy.cfg", "utf8")
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace("bind :9464", `bind 127.0.0.1:${await freePort()}`)
    .replace(/^ {2}server-template .*\n/m, "")
    .replace(/^ {2}server any .*$/m, `  server any 127.0.0.1:${options.gatewayPort} no-check`)
    .replaceAll(/^resolvers docker\n( .*\n)*/gm, "")
    .replace(/ resolvers docker\b.*/, "");
  const file = join(tempFolder(), "haproxy.cfg");
  writeFileSync(file, configuration);
  const end = await startDebianServer({
    program: "haproxy",
    args: ["-db", "-f", file],
    environment: { PATH: process.env.PATH ?? "", DOCS_URL: options.docsUrl },
    isReady: () => listens(port),
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => end("SIGKILL") };
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
