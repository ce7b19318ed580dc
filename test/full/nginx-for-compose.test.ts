import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { HEADER_OF } from "../../services/gateway/src/edge/header-presets.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import { send } from "../harness/http.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Every header of both presets, and another one of Cloudflare's, also as CGI would read them. */
const SPOOFED = Object.fromEntries(
  [...Object.values(HEADER_OF.geo), ...Object.values(HEADER_OF.cloudflare), "CF-Connecting-IP"]
    .flatMap((name) => [name, name.replaceAll("-", "_")])
    .map((name) => [name, "spoofed"]),
);

/** Every character that nginx or a shell could read as something else. */
const TOKEN = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~$host\\n\\\\$$";

describe("nginx of the Compose profile edge", () => {
  let app: Server;
  before(async () => {
    app = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, "127.0.0.1");
    await once(app, "listening");
  });
  after(() => {
    app.close();
    app.closeAllConnections();
  });
  const start = (environment: Record<string, string>, edgePort: number) =>
    startNginx(environment, { edgePort, appPort: (app.address() as AddressInfo).port });
  /** The application's headers, once they contain this one. On a busy machine, the first subrequests may take more than 100 ms. */
  const headersWith = (url: string, name: string): Promise<Record<string, string>> =>
    waitFor(
      "a place",
      async () => {
        const { json } = await send(url, { headers: SPOOFED });
        return name in json && json;
      },
      20_000,
    );

  it("sends the gateways the EDGE_TOKEN of its environment, and the application none", async () => {
    const edgePort = await freePort();
    await using _geolookup = await startStandalone({ EDGE_PORT: `${edgePort}`, EDGE_TOKEN: TOKEN });
    await using nginx = await start({ EDGE_TOKEN: TOKEN }, edgePort);
    const headers = await headersWith(nginx.url, "x-geo-country");
    expect(headers).to.include({ "x-geo-country": "XX" }).and.to.not.have.property("x-edge-token");

    await using withoutToken = await start({}, edgePort);
    const spoofed = await send(withoutToken.url, { headers: { "X-Edge-Token": TOKEN, "X-Geo-Country": "CH" } });
    expect(spoofed.json).to.not.have.property("x-geo-country");
  });

  for (const [preset, country] of [
    ["geo", "x-geo-country"],
    ["cloudflare", "cf-ipcountry"],
  ] as const)
    it(`passes on the headers of EDGE_HEADERS=${preset}, and none of either preset that visitors send`, async () => {
      const names = Object.values(HEADER_OF[preset]).map((name) => name.toLowerCase());
      const placeIn = (headers: Record<string, string>) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:x[-_]geo|cf[-_])/.test(name)));
      const edgePort = await freePort();
      await using geolookup = await startStandalone({ EDGE_PORT: `${edgePort}`, EDGE_HEADERS: preset });
      await using nginx = await start({}, edgePort);
      const place = placeIn(await headersWith(nginx.url, country));
      expect(Object.keys(place).sort()).to.deep.equal(names.sort());
      expect(Object.values(place)).to.not.include("spoofed");
      await geolookup.kill();
      const { status, json } = await send(nginx.url, { headers: SPOOFED });
      expect([status, placeIn(json)]).to.deep.equal([200, {}]);
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
