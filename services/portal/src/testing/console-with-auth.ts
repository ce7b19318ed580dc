import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { AUDIT, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { consoleClient } from "../../../../test/harness/console/console-client.ts";
import { send } from "../../../../test/harness/http.ts";
import { createPortal } from "../app.ts";
import { openConsole } from "../console/console.ts";
import type { SignInSettings } from "../console/sign-in-settings.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";

export const ADMIN_TOKEN = "a-token-of-some-length";
export const tokenOf = (name: string) => `geo_op_${name.padEnd(40, "0")}`;
const KEY = {
  keyId: "key_1",
  kind: "SECRET",
  plan: "free",
  status: "active",
  createdAt: "2026-11-01T00:00:00Z",
} as const;

/** A console, and an auth service that knows the operators vera, otto and anna. */
export async function openConsoleWithAuth(signIn: Partial<SignInSettings> = {}) {
  const operators = new Map<string, { role: Role; version: number }>([
    ["vera", { role: "viewer", version: 1 }],
    ["otto", { role: "operator", version: 1 }],
    ["anna", { role: "admin", version: 1 }],
  ]);
  const entries: string[] = [];
  const changes: string[] = [];
  const asked: object[] = [];
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const caller = (metadata: { get(name: string): (string | Buffer)[] }) => {
    const [sent = "", name, role] = ["authorization", "operator-name", "operator-role"].map((key) =>
      String(metadata.get(key)[0] ?? ""),
    );
    const bearer = sent.replace(/^Operator /, "Bearer ");
    const byToken = [...operators.keys()].find((each) => bearer === `Bearer ${tokenOf(each)}`);
    const found = byToken ?? (bearer === `Bearer ${ADMIN_TOKEN}` ? name || "admin" : "");
    const known = found === "admin" ? { role: "admin", version: 0 } : operators.get(found ?? "");
    if (known) return { name: found, ...known };
    if (byToken === undefined && bearer === `Bearer ${ADMIN_TOKEN}` && role) return { name: found, role, version: 0 };
    throw new ServiceError("unauthenticated", "the token isn't valid");
  };
  await using opened = new AsyncDisposableStack();
  const auth = await startGrpcServer({
    host: "127.0.0.1",
    port: 0,
    log,
    registry: new Registry(),
    services: [
      serve(OPERATORS, { WhoAmI: (_request, metadata) => caller(metadata) }),
      serve(AUDIT, {
        ListEntries: ({ since, by, subject, pageToken, pageSize = 0 }, metadata) => {
          asked.push({ since, by, subject, pageToken, asks: caller(metadata).name });
          const from = Number(pageToken || 0);
          const entries = Array.from({ length: Math.min(pageSize, 1_200 - from) }, (_, index) => ({
            id: `entry-${from + index}`,
            at: "2026-11-01T00:00:00Z",
            by: "otto",
            action: "KeyPlanChanged",
            subject: "key_1",
            beforeJson: '{"plan":"<free>"}',
            afterJson: '{"plan":"paid"}',
          }));
          return { entries, nextPageToken: from + pageSize < 1_200 ? String(from + pageSize) : "" };
        },
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
  opened.use(auth);
  auth.setServing(true);
  const server = opened.adopt(createServer().listen(0, "127.0.0.1"), async (each) => {
    each.closeAllConnections();
    each.close();
    await once(each, "close");
  });
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const info: DeploymentInfo = {
    docsUrl: url,
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
  const console = opened.use(
    openConsole({
      settings: {
        authUrl: `127.0.0.1:${auth.port}`,
        usageUrl: "127.0.0.1:1",
        geoUrl: null,
        signIn: { proxy: null, oidc: null, ...signIn },
        trustProxy: "none",
        adminToken: ADMIN_TOKEN,
        opsTargets: [],
        dataCommands: null,
      },
      deployment: () => info,
      clock: Date.now,
      log,
      registry: new Registry(),
    }),
  );
  opened.defer(() => console.endStreams());
  server.on(
    "request",
    createPortal(
      () => info,
      console.router,
      () => {},
    ),
  );
  const browser = (name = "", token = name === "admin" ? ADMIN_TOKEN : tokenOf(name)) =>
    consoleClient({ origin: url, adminToken: token, send: (sent) => send(url, sent) });
  const held = opened.move();
  return {
    url,
    operators,
    /** The audit trail: action, operator, source. */
    entries,
    changes,
    /** The requests for entries of the audit trail. */
    asked,
    /** Warnings in the log. */
    lines,
    browser,
    async signedIn(name: string) {
      const client = browser(name);
      await client.signIn();
      return client;
    },
    csrf: async (client: ReturnType<typeof browser>) =>
      /name="form_token" value="([\w-]+)"/.exec((await client.get("/console/plans")).text)?.[1] ?? "",
    stopAuth: () => auth[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
