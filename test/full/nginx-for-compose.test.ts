import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import { send } from "../harness/http.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Every character that nginx or a shell could read as something else. */
const TOKEN = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~$host\\n\\\\$$";

describe("nginx of the Compose profile edge", () => {
  it("sends the gateways the EDGE_TOKEN of its environment, and the application none", async () => {
    const app = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, "127.0.0.1");
    await once(app, "listening");
    const edgePort = await freePort();
    await using _geolookup = await startStandalone({ EDGE_PORT: `${edgePort}`, EDGE_TOKEN: TOKEN });
    try {
      const start = (environment: Record<string, string>) =>
        startNginx(environment, { edgePort, appPort: (app.address() as AddressInfo).port });
      await using nginx = await start({ EDGE_TOKEN: TOKEN });
      // On a busy machine, the first subrequests may take more than 100 ms.
      const located = async () => {
        const { json } = await send(nginx.url, {});
        return "x-geo-country" in json && json;
      };
      const headers = await waitFor("a place", located, 20_000);
      expect(headers).to.include({ "x-geo-country": "XX" }).and.to.not.have.property("x-edge-token");

      await using withoutToken = await start({});
      const spoofed = await send(withoutToken.url, { headers: { "X-Edge-Token": TOKEN, "X-Geo-Country": "CH" } });
      expect(spoofed.json).to.not.have.property("x-geo-country");
    } finally {
      app.close();
      app.closeAllConnections();
    }
  });
});

/** Runs infra/nginx/start.sh with Debian's nginx, with other paths, names and ports. */
async function startNginx(environment: Record<string, string>, ports: { edgePort: number; appPort: number }) {
  const folder = tempFolder();
  const port = await freePort();
  for (const file of ["start.sh", "site.conf"])
    writeFileSync(
      join(folder, file),
      readFileSync(`infra/nginx/${file}`, "utf8")
        .replaceAll(/\/tmp\/|\/etc\/geolookup\//g, `${folder}/`)
        .replace("events {}", "master_process off; events {}")
        .replace("listen 80;", `listen 127.0.0.1:${port};`)
        .replace("gateway:8090", `127.0.0.1:${ports.edgePort}`)
        .replace("app:3000", `127.0.0.1:${ports.appPort}`),
    );
  const url = `http://127.0.0.1:${port}`;
  const stop = await startDebianServer({
    program: "sh",
    args: [join(folder, "start.sh")],
    environment: { PATH: `${process.env.PATH}:/usr/sbin`, ...environment },
    isReady: () => send(url, {}).then(Boolean, () => false),
  });
  return { url, [Symbol.asyncDispose]: () => stop("SIGKILL") };
}
