import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { AUDIT, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { consoleClient } from "../../../../test/harness/console/console-client.ts";
import { openEventStream } from "../../../../test/harness/console/event-stream.ts";
import { send } from "../../../../test/harness/http.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createPortal } from "../app.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Console, openConsole } from "./console.ts";

const ADMIN_TOKEN = "a-token-of-some-length";
const DOCS_URL = "http://docs.test";
const tokenOf = (name: string) => `geo_op_${name.padEnd(40, "0")}`;
const KEY = {
  keyId: "key_1",
  kind: "SECRET",
  plan: "free",
  status: "active",
  createdAt: "2026-11-01T00:00:00Z",
} as const;

describe("operators at the console", () => {
  /** The operators that auth knows. */
  let operators: Map<string, { role: Role; version: number }>;
  let entries: string[];
  let changes: string[];
  let auth: Awaited<ReturnType<typeof startGrpcServer>>;
  let server: Server;
  let console: Console;

  beforeEach(async () => {
    operators = new Map([
      ["vera", { role: "viewer", version: 1 }],
      ["otto", { role: "operator", version: 1 }],
      ["anna", { role: "admin", version: 1 }],
    ]);
    entries = [];
    changes = [];
    const log = pino({ level: "silent" });
    const caller = (metadata: { get(name: string): (string | Buffer)[] }) => {
      const [bearer, name, role] = ["authorization", "operator-name", "operator-role"].map((key) =>
        String(metadata.get(key)[0] ?? ""),
      );
      const byToken = [...operators.keys()].find((each) => bearer === `Bearer ${tokenOf(each)}`);
      const found = byToken ?? (bearer === `Bearer ${ADMIN_TOKEN}` ? name || "admin" : "");
      const known = found === "admin" ? { role: "admin", version: 0 } : operators.get(found ?? "");
      if (known) return { name: found, ...known };
      if (byToken === undefined && bearer === `Bearer ${ADMIN_TOKEN}` && role) return { name: found, role, version: 0 };
      throw new ServiceError("unauthenticated", "the token isn't valid");
    };
    auth = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      log,
      registry: new Registry(),
      services: [
        serve(OPERATORS, { WhoAmI: (_request, metadata) => caller(metadata) }),
        serve(AUDIT, {
          RecordEntry: ({ action, by, subject }) => {
            entries.push([action, by, subject].join(" "));
            return {};
          },
        }),
        serve(KEY_ADMIN, {
          ListKeys: () => ({ keys: [KEY], total: 1 }),
          GetKey: () => KEY,
          GetHistory: () => ({ events: [] }),
          GetPlans: () => ({ plansJson: "{}", held: { hash: "abc", differences: [], holds: ["held"] } }),
          IssueKey: (_request, metadata) => {
            const { name, role } = caller(metadata);
            if (role === "viewer") throw new ServiceError("forbidden", "the role viewer can't issue keys");
            changes.push(`issued by ${name}`);
            return { secret: "geo_sk_x", key: KEY };
          },
        }),
      ],
    });
    auth.setServing(true);
    const address = `127.0.0.1:${auth.port}`;
    const info: DeploymentInfo = {
      docsUrl: DOCS_URL,
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
    console = openConsole({
      settings: {
        authUrl: address,
        usageUrl: "127.0.0.1:1",
        geoUrl: null,
        trustProxy: "none",
        adminToken: ADMIN_TOKEN,
        opsTargets: [],
        dataCommands: null,
      },
      deployment: () => info,
      clock: Date.now,
      log,
      registry: new Registry(),
    });
    server = createServer(
      createPortal(
        () => info,
        console.router,
        () => {},
      ),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    console.endStreams();
    console[Symbol.dispose]();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    await auth[Symbol.asyncDispose]();
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = (name: string, token = name === "admin" ? ADMIN_TOKEN : tokenOf(name)) =>
    consoleClient({ origin: DOCS_URL, adminToken: token, send: (sent) => send(url(), sent) });
  const signedIn = async (name: string) => {
    const client = browser(name);
    await client.signIn();
    return client;
  };
  const csrf = async (client: ReturnType<typeof browser>) =>
    /name="form_token" value="([\w-]+)"/.exec((await client.get("/console/plans")).text)?.[1] ?? "";

  it("sign in with their own token, under their name, and each sign-in is in the audit trail", async () => {
    const client = await signedIn("otto");
    expect((await client.get("/console/keys")).text).to.include('<span class="who">otto</span>');
    await client.post("/console/sign-out", { form_token: await csrf(client) });
    await signedIn("admin");
    await waitFor("three entries", () => entries.length === 3, 5_000);
    expect(entries).to.deep.equal(["SignedIn otto token", "SignedOut otto token", "SignedIn admin admin"]);
  });

  it("aren't let in with a token that auth doesn't know, or that isn't one", async () => {
    for (const token of [tokenOf("nobody"), "geo_op_", `${tokenOf("otto")}0`, "something else"]) {
      const { status, headers } = await browser("", token).post("/console/sign-in", { token });
      expect([status, headers["set-cookie"]], token).to.deep.equal([403, undefined]);
    }
    // Auth records the refusal of what it was asked about.
    await waitFor("three entries", () => entries.length === 3, 5_000);
    expect(new Set(entries)).to.deep.equal(new Set(["SignInRefused  token"]));
  });

  it("that were removed, or whose token was replaced, are signed out at the next request", async () => {
    const [removed, replaced] = [await signedIn("otto"), await signedIn("vera")];
    operators.delete("otto");
    operators.set("vera", { role: "viewer", version: 2 });
    for (const client of [removed, replaced]) {
      const { status, headers } = await client.get("/console/keys");
      expect([status, headers.location]).to.deep.equal([303, "/console/sign-in?next=%2Fconsole%2Fkeys"]);
    }
  });

  it("that were removed get no more live updates within a second", async () => {
    const client = await signedIn("otto");
    using stream = await openEventStream(url(), {
      path: "/console/events",
      host: "docs.test",
      cookie: client.cookieHeader(),
    });
    expect(stream.status).to.equal(200);
    operators.delete("otto");
    await waitFor("the end of the live updates", () => stream.hasEnded(), 1_000);
    expect(stream.events.at(-1)?.event).to.equal("signed-out");
  });

  it("can sign in with ADMIN_TOKEN while auth is unavailable, and other sessions get an error", async () => {
    const client = await signedIn("otto");
    await auth[Symbol.asyncDispose]();
    expect((await client.get("/console/keys/new")).status).to.equal(503);
    expect((await client.get("/console/sign-in")).status).to.equal(200);
    expect((await (await signedIn("admin")).get("/console/keys/new")).status).to.equal(200);
  });

  /** By role: what its pages offer, and the statuses of what it tries anyway. */
  const MARKS = {
    issue: ["/console/keys", 'href="/console/keys/new"'],
    select: ["/console/keys", 'class="selection"'],
    settings: ["/console/keys/key_1", 'action="/console/keys/key_1/settings"'],
    revoke: ["/console/keys/key_1", 'href="/console/keys/key_1/revoke"'],
    confirm: ["/console/plans", 'action="/console/plans/confirm"'],
  } as const;
  for (const [name, offered, issueForm, issued, dataChange] of [
    ["vera", [], 403, 403, 403],
    ["otto", ["issue", "select", "settings", "revoke"], 200, 200, 403],
    ["anna", ["issue", "select", "settings", "revoke", "confirm"], 200, 200, 409],
    ["admin", ["issue", "select", "settings", "revoke", "confirm"], 200, 200, 409],
  ] as const)
    it(`offers ${name} what their role can do, and refuses the rest`, async () => {
      const client = await signedIn(name);
      const shown = [];
      for (const [what, [path, mark]] of Object.entries(MARKS))
        if ((await client.get(path)).text.includes(mark)) shown.push(what);
      expect(shown).to.deep.equal(offered);
      const form = await client.get("/console/keys/new");
      expect(form.status).to.equal(issueForm);
      const once = /name="once" value="([\w-]+)"/.exec(form.text)?.[1] ?? "A".repeat(22);
      const fields = { form_token: await csrf(client), once, kind: "secret", plan: "free", label: "", origins: "" };
      const response = await client.post("/console/keys/new", fields);
      expect(response.status, response.text).to.equal(issued);
      expect(changes).to.deep.equal(issued === 200 ? [`issued by ${name}`] : []);
      const update = await client.post("/console/data/update", { form_token: fields.form_token });
      expect(update.status).to.equal(dataChange);
    });
});
