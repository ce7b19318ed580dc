import { hash, randomUUID } from "node:crypto";
import type { Authorization, Grant, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent, KeyLog } from "@geolookup/shared/domain/key-event.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import { openJetStreamKeyFeed } from "@geolookup/shared/logs/keys/jetstream/feed.ts";
import { openJetStreamKeyLog } from "@geolookup/shared/logs/keys/jetstream/key-log.ts";
import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../test/harness/nats-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { openAuthorizationCache } from "./authorization-cache.ts";
import type { PositionedAuthorizer } from "./positioned-authorizer.ts";
import { keyOf } from "./testing/controlled-cache.ts";

const CHECK: KeyCheck = { key: keyOf(1), origin: null, referer: null };
const DEADLINE_MS = 10_000;
/** Changes reach every gateway within this time. */
const CHANGE_MS = 1_000;
const silent = pino({ level: "silent" });

const EVENTS = {
  issued: {
    type: "KeyIssued",
    data: { kind: "secret", plan: "free", label: "", origins: [], keySha256: "0".repeat(64), display: "geo_sk_…" },
  },
  onPaid: { type: "KeyPlanChanged", data: { plan: "paid" } },
  revoked: { type: "KeyRevoked", data: { reason: "" } },
} as const;

describe("authorization cache on NATS", () => {
  let server: NatsServer;
  let proxy: TcpProxy;
  let opened: AsyncDisposableStack;
  let log: KeyLog;
  let auth: ReturnType<typeof foldingAuth>;
  let gateways: ReturnType<typeof openAuthorizationCache>[];
  let skippedMs: number;

  const link = (url: string) => opened.use(openNats({ url, name: "test", log: silent }));
  const append = (name: keyof typeof EVENTS, version: number) =>
    log.append({
      ...EVENTS[name],
      id: randomUUID(),
      keyId: "key",
      version,
      at: new Date().toISOString(),
      by: "test",
    } as unknown as KeyEvent);
  const plansNow = async () =>
    (await Promise.all(gateways.map((gateway) => gateway.authorize(CHECK)))).map((authorization: Authorization) =>
      authorization.outcome === "granted" ? authorization.grant.plan : authorization.outcome,
    );
  const everywhere = (plan: string) => async () => (await plansNow()).every((seen) => seen === plan);

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    skippedMs = 0;
    server = opened.use(await startNatsServer());
    proxy = opened.use(await startTcpProxy(server.port));
    log = opened.use(
      await openJetStreamKeyLog({ nats: link(server.url), replicas: 1, log: silent, registry: new Registry() }),
    );
    auth = opened.use(foldingAuth(link(server.url)));
    gateways = [server.url, `nats://127.0.0.1:${proxy.port}`].map((url) =>
      opened.use(
        openAuthorizationCache({
          authorizer: auth.authorizer,
          feed: openJetStreamKeyFeed({ nats: link(url), log: silent, registry: new Registry() }),
          clock: () => performance.now() + skippedMs,
          log: silent,
          registry: new Registry(),
        }),
      ),
    );
    await waitFor("auth to follow the log", auth.isLive, DEADLINE_MS);
    await append("issued", 1);
    await waitFor("the key everywhere", everywhere("free"), DEADLINE_MS);
    await waitFor(
      "the key to be cached",
      async () => {
        const before = auth.requests();
        await plansNow();
        return auth.requests() === before;
      },
      DEADLINE_MS,
    );
  });
  afterEach(() => opened.disposeAsync());

  it("a change of plan and a revocation reach all gateways within 1 s, and stay", async () => {
    await append("onPaid", 2);
    await waitFor("the new plan everywhere", everywhere("paid"), CHANGE_MS);
    for (let count = 0; count < 200; count += 1) expect(await plansNow()).to.deep.equal(["paid", "paid"]);
    await append("revoked", 3);
    await waitFor("the revocation everywhere", everywhere("revoked_key"), CHANGE_MS);
    auth.restart();
    for (let count = 0; count < 200; count += 1) {
      expect(await plansNow()).to.deep.equal(["revoked_key", "revoked_key"]);
      if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("a recently refused key works at all gateways within 1 s of its issue", async () => {
    const later: KeyCheck = { ...CHECK, key: keyOf(2) };
    const outcomesNow = async () =>
      (await Promise.all(gateways.map((gateway) => gateway.authorize(later)))).map(({ outcome }) => outcome);
    auth.refuse(later.key);
    await waitFor(
      "the key to be refused without asking auth",
      async () => {
        await outcomesNow();
        const before = auth.requests();
        const outcomes = await outcomesNow();
        return auth.requests() === before && outcomes.every((outcome) => outcome === "unknown_key");
      },
      DEADLINE_MS,
    );
    auth.refuse(null);
    const keySha256 = hash("sha256", later.key, "hex");
    await log.append({
      ...{ ...EVENTS.issued, data: { ...EVENTS.issued.data, keySha256 } },
      ...{ id: randomUUID(), keyId: "later", version: 1, at: new Date().toISOString(), by: "test" },
    } as unknown as KeyEvent);
    await waitFor(
      "the key to be granted everywhere",
      async () => (await outcomesNow()).every((outcome) => outcome === "granted"),
      CHANGE_MS,
    );
  });

  it("a gateway cut off from NATS learns of a revocation from auth within 30 s", async () => {
    proxy.blackhole();
    await append("revoked", 2);
    await waitFor(
      "the revocation on the other gateway",
      async () => (await plansNow())[0] === "revoked_key",
      CHANGE_MS,
    );
    expect((await plansNow())[1]).to.equal("free");
    await waitFor("auth to know of the revocation", auth.knowsRevocation, CHANGE_MS);
    skippedMs = 25_000;
    expect((await plansNow())[1], "after 25 s").to.equal("revoked_key");
    proxy.open();
    await waitFor("the feed to reconnect", everywhere("revoked_key"), DEADLINE_MS);
  });

  it("NATS restarted: cached keys are served, and later changes reach all gateways", async () => {
    await server.restart();
    expect(await plansNow()).to.deep.equal(["free", "free"]);
    await waitFor("the log to store the change", async () => (await append("revoked", 2)) > 0, DEADLINE_MS);
    await waitFor("the revocation everywhere", everywhere("revoked_key"), DEADLINE_MS);
  });
});

/** An auth node that follows the key log. */
function foldingAuth(nats: NatsLink) {
  let grant: Grant | null = null;
  let isRevoked = false;
  let position: KeyPosition | null = null;
  let live = false;
  let requests = 0;
  let refusedKey: string | null = null;
  const rules = "rules";
  const following = openJetStreamKeyFeed({ nats, log: silent, registry: new Registry() }).follow({
    reset: (epoch, sequence) => {
      position = { epoch, sequence };
    },
    live: (isLive) => {
      live = isLive;
    },
    complete: () => {},
    event: (event, at) => {
      position = at;
      if (event.type === "KeyIssued" || event.type === "KeyPlanChanged")
        grant = {
          keyId: "key",
          kind: "secret",
          plan: event.data.plan,
          fields: "paid",
          monthlyRequests: 1,
          origins: [],
          display: "",
        };
      if (event.type === "KeyRevoked") isRevoked = true;
    },
  });
  const authorizer: PositionedAuthorizer = {
    authorizeWithPosition: async ({ key }) => {
      requests += 1;
      if (key === refusedKey) return { authorization: { outcome: "unknown_key" }, position, rules };
      if (isRevoked) return { authorization: { outcome: "revoked_key" }, position, rules };
      return { authorization: grant ? { outcome: "granted", grant } : { outcome: "unknown_key" }, position, rules };
    },
    checkNodes: async () => ({ rules, highest: position, isReached: true }),
  };
  return {
    authorizer,
    requests: () => requests,
    isLive: () => live,
    knowsRevocation: () => isRevoked,
    /** The only key that it doesn't know, or null. */
    refuse: (key: string | null) => {
      refusedKey = key;
    },
    /** Simulates a node that has just started and doesn't know the revocation yet. */
    restart: () => {
      isRevoked = false;
    },
    [Symbol.asyncDispose]: () => following[Symbol.asyncDispose](),
  };
}
