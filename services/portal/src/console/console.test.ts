import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import MiniSearch from "minisearch";
import { pino } from "pino";
import { consoleClient } from "../../../../test/harness/console/console-client.ts";
import { send } from "../../../../test/harness/http.ts";
import { createPortal } from "../app.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { SEARCH_OPTIONS } from "../docs/assets/search-options.js";
import { isPublic } from "../guides/guide-files.ts";
import { KEYWORDS } from "../search/keywords.ts";
import { type Console, openConsole } from "./console.ts";
import { MAX_IDLE_MS, MAX_SESSION_MS } from "./sessions.ts";

const ADMIN_TOKEN = "a-token-of-some-length";
const MINUTE_MS = 60_000;
/** A page that needs neither auth nor usage. */
const PAGE = "/console/keys/new";

/** What operators type, and the first result. */
const SEARCHES = [
  ["secret key", "keys#publishable-and-secret-keys"],
  ["load balancer", "production#cloud-load-balancers"],
  ["nginx geo header", "proxies/nginx"],
  ["how to rotate signing key", "security#rotate-secrets"],
  ["rollback geo data", "data#update-and-roll-back"],
  ["change port", "configuration#ports-and-tls"],
  ["prometheus", "monitor"],
  ["health check", "configuration#ports-and-tls"],
  ["TRUST_PROXY", "configuration#callers-and-limits"],
  ["two instances", "cluster"],
  ["memory usage", "install"],
] as const;

describe("the console over time", () => {
  let nowMs = Date.UTC(2026, 10, 21);
  let docsUrl = "http://docs.test";
  let server: Server;
  let console: Console;
  let registry: Registry;

  beforeEach(async () => {
    registry = new Registry();
    const info: DeploymentInfo = {
      docsUrl,
      apiUrl: null,
      demoKey: null,
      keyless: { hourlyLimit: null, ipv6Prefix: 64 },
      site: { name: "Geolocation API", contact: null, terms: null, hasConsole: true },
      securityContacts: [],
      plans: () => null,
      databases: async () => null,
      nextRefreshAt: async () => null,
      report: async () => "none",
    };
    const settings = {
      authUrl: "127.0.0.1:1",
      usageUrl: "127.0.0.1:1",
      geoUrl: null,
      signIn: { proxy: null, oidc: null },
      trustProxy: "none",
      adminToken: ADMIN_TOKEN,
      opsTargets: [],
      dataCommands: null,
    };
    const log = pino({ level: "silent" });
    console = openConsole({ settings, deployment: () => ({ ...info, docsUrl }), clock: () => nowMs, log, registry });
    const portal = createPortal(
      () => info,
      console.router,
      () => {},
    );
    server = createServer(portal).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    console.endStreams();
    console[Symbol.dispose]();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    docsUrl = "http://docs.test";
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = (adminToken = ADMIN_TOKEN) =>
    consoleClient({
      origin: docsUrl,
      adminToken,
      send: (sent) => send(address(), sent),
    });
  const tryToken = async (client: ReturnType<typeof browser>, token: string) =>
    (await client.post("/console/sign-in", { token })).status;

  it("asks to sign in again after half an hour without use, but not before", async () => {
    const client = browser();
    await client.signIn();
    for (let uses = 0; uses < 3; uses += 1) {
      nowMs += MAX_IDLE_MS - 1;
      expect((await client.get(PAGE)).status).to.equal(200);
    }
    nowMs += MAX_IDLE_MS;
    const response = await client.get(PAGE);
    expect([response.status, response.headers.location]).to.deep.equal([
      303,
      `/console/sign-in?${new URLSearchParams({ next: PAGE })}`,
    ]);
  });

  it("isn't kept alive by live updates of a page that is left open", async () => {
    const client = browser();
    await client.signIn();
    nowMs += MAX_IDLE_MS - MINUTE_MS;
    // A HEAD opens no stream.
    const { status, headers } = await send(address(), {
      method: "HEAD",
      path: "/console/events",
      headers: { Cookie: client.cookieHeader() },
    });
    expect([status, headers["set-cookie"]]).to.deep.equal([200, undefined]);
    nowMs += MINUTE_MS;
    expect((await client.get(PAGE)).status).to.equal(303);
  });

  it("asks to sign in again after eight hours, and no longer accepts forms", async () => {
    const client = browser();
    await client.signIn();
    const [, csrfToken = ""] = /name="form_token" value="([\w-]+)"/.exec((await client.get(PAGE)).text) ?? [];
    for (const endMs = nowMs + MAX_SESSION_MS; nowMs < endMs; nowMs += MAX_IDLE_MS / 2) {
      expect((await client.get(PAGE)).status).to.equal(200);
    }
    expect((await client.get(PAGE)).status).to.equal(303);
    const form = await client.post(PAGE, { form_token: csrfToken, kind: "secret", plan: "free" });
    expect([form.status, form.headers.location]).to.deep.equal([303, "/console/sign-in"]);
  });

  it("accepts the right token after any number of wrong ones, and responds briefly to many wrong ones", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => tryToken(browser(), `wrong-${index}-of-some-length`)),
    );
    expect(statuses.filter((status) => status === 403)).to.have.length(20);
    expect(statuses.filter((status) => status === 429)).to.have.length(40);
    expect(await tryToken(browser(), ADMIN_TOKEN)).to.equal(303);
    const brief = await browser().post("/console/sign-in", { token: "wrong-again-of-some-length" });
    expect([brief.status, brief.headers["retry-after"]]).to.deep.equal([429, "1"]);
    expect(brief.text).to.include("That isn't a valid token").and.have.length.below(400);
    nowMs += 1_000;
    expect(await tryToken(browser(), "wrong-once-more-of-some-length")).to.equal(403);
    const counted = await registry.getSingleMetricAsString("geolookup_console_sign_ins_total");
    expect(counted).to.include('{outcome="held_back"} 41').and.include('{outcome="refused"} 21');
  });

  it("with TLS, sets cookies for this host only, and reads no others", async () => {
    docsUrl = "https://docs.test";
    const client = browser();
    await client.signIn();
    expect([...client.cookies.keys()]).to.deep.equal(["__Host-geolookup-session"]);
    const other = browser();
    other.cookies.set("geolookup-session", client.cookies.get("__Host-geolookup-session") ?? "");
    expect((await other.get(PAGE)).status).to.equal(303);
  });

  it("has the guides for operators, their diagrams and their search, only for those who are signed in", async () => {
    const client = browser();
    const paths = ["", "/architecture", "/search.json"].map((path) => `/console/guides${path}`);
    for (const path of paths) expect((await client.get(path)).status, path).to.equal(303);
    await client.signIn();
    const [index, architecture, search] = await Promise.all(paths.map((path) => client.get(path)));
    expect(index?.text).to.include('<a href="/console/guides/keys">').and.include("Sign out");
    const [, diagram = ""] = /<img src="(\/console\/guides\/diagrams\/[^"]*)"/.exec(architecture?.text ?? "") ?? [];
    const { status, headers } = await client.get(diagram);
    expect([status, headers["content-type"]]).to.deep.equal([200, "image/svg+xml"]);
    expect(architecture?.headers["content-security-policy"]).to.match(/(^|; )img-src 'self' data:(;|$)/);
    const found = Object.values(JSON.parse(search?.text ?? "").documentIds);
    expect(found).to.include.members([...KEYWORDS.keys()].filter((id) => !isPublic(id)));
    for (const id of found) expect(id).to.match(/^\/console\/guides/);
    const guides = MiniSearch.loadJSON(search?.text ?? "", SEARCH_OPTIONS);
    for (const [query, id] of SEARCHES) expect(guides.search(query)[0]?.id, query).to.equal(`/console/guides/${id}`);
    const sources = globSync("services/portal/src/console/*.ts").map((file) => readFileSync(file, "utf8"));
    const links = sources.join().match(/(?<=href=")\/console\/guides\/[^"$]+/g) ?? [];
    expect(links).to.have.length.above(5);
    expect(found).to.include.members(links);
    for (const path of ["none", "diagrams/..%2f..%2f..%2fREADME.md", "..%2fREADME", "__proto__"])
      expect((await client.get(`/console/guides/${path}`)).status, path).to.equal(404);
  });

  it("says that auth and usage are not responding, and keeps working", async () => {
    const client = browser();
    await client.signIn();
    for (const path of ["/console/keys", "/console/keys/key_1", "/console/keys/key_1/events"]) {
      const { status, text } = await client.get(path);
      expect(status, path).to.equal(503);
      expect(text).to.include("is not responding").and.not.include("ECONNREFUSED");
    }
    expect((await client.get(PAGE)).status).to.equal(200);
  });
});
