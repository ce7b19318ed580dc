import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import { type Cluster, ONE_OF_EACH, startCluster } from "../harness/cluster.ts";
import { consoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { startDebianServer } from "../harness/debian-server.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { readRecipe } from "../harness/proxy-recipes.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

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
      return nginxWith(listening, folder);
    },
  },
};

function nginxWith(servers: string, folder: string) {
  const file = join(folder, "nginx.conf");
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${folders.join("\n")}\n${servers}}\n`);
  return { program: "nginx" as const, args: ["-e", "stderr", "-c", file, "-g", "daemon off; master_process off;"] };
}

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

describe("nginx and oauth2-proxy with the recipe of docs/sign-in.md, in front of a cluster", function () {
  this.timeout(START_TIMEOUT_MS);
  const recipe = readRecipe("nginx-oauth2-proxy.conf");
  const [, settings = ""] = /```sh\n(OPERATOR_.*?)```/s.exec(readFileSync("docs/sign-in.md", "utf8")) ?? [];
  /** The address of nginx, so that other connections from this machine are wrong peers. */
  const NGINX = "127.0.0.7";
  const SECRET = "a-secret-of-the-proxy";
  const OPERATOR = "alice@example.com";
  const SIGNED_IN = { Cookie: "signed-in=alice" };
  const stack = new AsyncDisposableStack();
  let cluster: Cluster;
  let url: string;
  let urlWithWrongSecret: string;

  before(async () => {
    const variables = settings
      .trim()
      .split("\n")
      .map((line) => line.split("=", 2) as [string, string]);
    cluster = stack.use(
      await startCluster({
        ...ONE_OF_EACH,
        ...Object.fromEntries(variables),
        OPERATOR_HEADER_FROM: NGINX,
        OPERATOR_HEADER_SECRET: SECRET,
        DOCS_URL: `https://${DOCS}`,
        STORES: "embedded",
      }),
    );
    const admin = consoleBrowser(cluster);
    await admin.signIn();
    const added = await admin.submit("/console/operators", { name: OPERATOR, role: "operator", expires: "" });
    expect(added.status).to.equal(200);
    // Stands in for oauth2-proxy.
    const oauth2 = createServer((req, res) => {
      const isSignedIn = req.headers.cookie?.includes("signed-in=alice");
      if (req.url === "/oauth2/auth" && isSignedIn) res.setHeader("X-Auth-Request-Email", OPERATOR);
      res.writeHead(req.url === "/oauth2/auth" ? (isSignedIn ? 202 : 401) : 403).end("the page of oauth2-proxy");
    });
    await new Promise<void>((resolve) => oauth2.listen(0, "127.0.0.1", resolve));
    stack.defer(() => void oauth2.close());
    const startNginx = async (secret: string) => {
      const folder = tempFolder();
      const port = await freePort();
      const text = recipe
        .replace("THE_SECRET", secret)
        .replaceAll("127.0.0.1:4180", `127.0.0.1:${(oauth2.address() as AddressInfo).port}`)
        .replaceAll("127.0.0.1:8080", new URL(cluster.url).host);
      const server = `server {
        listen 127.0.0.1:${port};
        proxy_bind ${NGINX};
        location / { proxy_set_header Host $host; proxy_pass http://${new URL(cluster.url).host}; }
        ${text}
      }`;
      const end = await startDebianServer({
        ...nginxWith(server, folder),
        environment: { PATH: process.env.PATH ?? "", HOME: folder },
        isReady: () => send(`http://127.0.0.1:${port}`).then(Boolean, () => false),
      });
      stack.defer(() => end("SIGKILL"));
      return `http://127.0.0.1:${port}`;
    };
    [url, urlWithWrongSecret] = [await startNginx(SECRET), await startNginx("another-secret-of-some-length")];
  });
  after(() => stack.disposeAsync());

  const browser = (at: string, headers: Readonly<Record<string, string>>) =>
    consoleClient({
      origin: `https://${DOCS}`,
      adminToken: "",
      // A browser sends all its cookies in one header.
      send: (sent) => {
        const Cookie = [sent.headers?.Cookie, headers.Cookie].filter(Boolean).join("; ");
        return send(at, { host: DOCS, ...sent, headers: { ...sent.headers, ...headers, ...(Cookie && { Cookie }) } });
      },
    });
  const named = { "X-Forwarded-Email": OPERATOR };

  it("signs operators in under their names", async () => {
    const client = browser(url, SIGNED_IN);
    expect((await client.get("/console/keys")).text).to.include(`<span class="who">${OPERATOR}</span>`);
    const { keyId } = await cluster.issueKey();
    expect((await client.submit(`/console/keys/${keyId}/disable`, { reason: "" })).status).to.equal(303);
    const history = await cluster.keys("history", keyId);
    expect(history.at(-1)).to.include({ type: "KeyDisabled", by: OPERATOR });
    expect((await client.get("/console/operators")).status, "beyond their role").to.equal(403);
  });

  it("lets nobody in whom oauth2-proxy hasn't signed in, whatever they send", async () => {
    for (const path of ["/console/keys", "/%63onsole/keys", "//console/keys", "/x/../console/keys"]) {
      const { status, text } = await browser(url, { ...named, "X-Operator-Secret": SECRET }).get(path);
      expect([status, text], path).to.deep.equal([403, "the page of oauth2-proxy"]);
    }
    const admin = { ...SIGNED_IN, "X-Forwarded-Email": "admin" };
    expect((await browser(url, admin).get("/console/keys")).text).to.include(`<span class="who">${OPERATOR}</span>`);
  });

  const isRefused = async (at: string, headers: Record<string, string>) => {
    const { status, headers: received } = await browser(at, headers).get("/console/keys");
    expect([status, received.location]).to.deep.equal([303, "/console/sign-in?next=%2Fconsole%2Fkeys"]);
    expect(received).to.not.have.property("set-cookie");
  };

  /** Waits for a log line, which may arrive after the response. */
  const expectLog = (message: string) =>
    waitFor(`the log line "${message}"`, () => cluster.output().includes(message), 10_000);

  it("ignores the headers of a client that reaches the gateway itself, even with the secret", async () => {
    const headers = { ...named, "X-Operator-Secret": SECRET };
    await isRefused(cluster.url, headers);
    await isRefused(cluster.url, { ...headers, "X-Forwarded-For": NGINX });
    await expectLog("operator header ignored: its sender isn't in OPERATOR_HEADER_FROM");
  });

  it("ignores the header with a wrong secret", async () => {
    await isRefused(urlWithWrongSecret, SIGNED_IN);
    await isRefused(urlWithWrongSecret, { ...SIGNED_IN, "X-Operator-Secret": SECRET });
    await expectLog("operator header ignored: X-Operator-Secret isn't OPERATOR_HEADER_SECRET");
    expect(cluster.output()).to.not.include(SECRET).and.not.include("another-secret-of-some-length");
  });
});
