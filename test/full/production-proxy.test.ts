import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { readRecipe } from "../harness/proxy-recipes.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const START_TIMEOUT_MS = 120_000;
const API = "geo.example.com";
const DOCS = "docs.geo.example.com";

/** How to start a proxy with its recipe, over plain HTTP on a free port. */
interface Proxy {
  recipe: string;
  /** Changes the recipe to listen on a port, and says how to run it. */
  prepare: (recipe: string, folder: string, port: number) => { program: "caddy" | "nginx"; args: string[] };
}
const PROXIES: Readonly<Record<string, Proxy>> = {
  Caddy: {
    recipe: "Caddyfile-production",
    prepare: (recipe, folder, port) => {
      const listening = recipe.replace(
        `${API}, ${DOCS} {`,
        `http://${API}:${port}, http://${DOCS}:${port} {\n\tbind 127.0.0.1`,
      );
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${listening}`);
      return { program: "caddy", args: ["run", "--adapter", "caddyfile", "--config", file] };
    },
  },
  nginx: {
    recipe: "nginx-production.conf",
    prepare: (recipe, folder, port) => {
      const listening = recipe
        .replace("listen 443 ssl", `listen 127.0.0.1:${port}`)
        .replace(/^.*(?:listen \[::\]:443|ssl_certificate).*\n/gm, "");
      const file = join(folder, "nginx.conf");
      const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder};`,
      );
      writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${folders.join("\n")}\n${listening}}\n`);
      return { program: "nginx", args: ["-e", "stderr", "-c", file, "-g", "daemon off; master_process off;"] };
    },
  },
};

for (const [name, { recipe, prepare }] of Object.entries(PROXIES))
  describe(`${name} with the recipe of docs/production.md, in front of the API and its docs site`, function () {
    this.timeout(START_TIMEOUT_MS);
    let geolookup: Deployment;
    const stack = new AsyncDisposableStack();
    before(async () => {
      geolookup = stack.use(await startStandalone({ DOCS_URL: `https://${DOCS}` }));
    });
    after(() => stack.disposeAsync());

    /** @param operators the network that may reach the console. @returns the proxy's URL. */
    const startProxy = async (operators: string) => {
      const folder = tempFolder();
      const port = await freePort();
      const text = readRecipe(recipe)
        .replace("192.0.2.0/24", operators)
        .replaceAll("127.0.0.1:8080", new URL(geolookup.url).host);
      const url = `http://127.0.0.1:${port}`;
      const end = await startDebianServer({
        ...prepare(text, folder, port),
        environment: { PATH: process.env.PATH ?? "", HOME: folder },
        isReady: () => send(url).then(Boolean, () => false),
      });
      stack.defer(() => end("SIGKILL"));
      return url;
    };

    it("serves both names, and takes the caller's address from the connection", async () => {
      const url = await startProxy("192.0.2.0/24");
      const { key } = await geolookup.issueKey({ kind: "secret", plan: "paid" });
      const headers = { Authorization: `Bearer ${key}`, "X-Forwarded-For": ADDRESSES.rainhaven };
      const { status, json } = await send(url, { host: API, headers });
      expect([status, json.ip]).to.deep.equal([200, "127.0.0.1"]);
      expect((await send(url, { host: DOCS, path: "/" })).headers["content-type"]).to.include("text/html");
    });

    it("lets only operators reach the console, however its path is written", async () => {
      const outside = await startProxy("192.0.2.0/24");
      for (const path of ["/console", "/console/", "/console/sign-in?next=keys"])
        expect((await send(outside, { host: DOCS, path })).status, path).to.equal(403);
      const signIn = /admin token of this deployment/;
      for (const path of ["/Console/sign-in", "/%63onsole/sign-in", "//console/sign-in", "/x/../console/sign-in"])
        expect((await send(outside, { host: DOCS, path })).text, path).to.not.match(signIn);
      const inside = await startProxy("127.0.0.0/8");
      expect((await send(inside, { host: DOCS, path: "/console/sign-in" })).text).to.match(signIn);
    });
  });
