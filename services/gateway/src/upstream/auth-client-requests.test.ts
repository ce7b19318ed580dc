import { setTimeout as delay } from "node:timers/promises";
import type { KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { Authorization } from "@geolookup/shared/generated/geolookup/auth/v1/Authorization.ts";
import type { AuthorizeRequest__Output } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeRequest.ts";
import type { AuthorizeResponse } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeResponse.ts";
import type { Check__Output as WireCheck } from "@geolookup/shared/generated/geolookup/auth/v1/Check.ts";
import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { AUTH } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { targetOf } from "../testing/start-node.ts";
import { BATCH_INTERVAL_MS, connectAuth } from "./auth-client.ts";

const DEADLINE_MS = 10_000;
const log = pino({ level: "silent" });

/** Authorizations of keys with a life of their own, as auth sends them. */
const SHARED = { keyId: "key_2", plan: "free", monthlyRequests: 10 };
const OF_KEYS: Readonly<Record<string, Authorization>> = {
  disabled: {
    outcome: "UNKNOWN_KEY",
    end: { how: "disabled", at: "2026-11-30T00:00:00.000Z" },
    grant: { ...SHARED, customer: "acme", end: { how: "expired", at: "2027-01-01T00:00:00.000Z" } },
  },
  revoked: { outcome: "REVOKED_KEY", revokedKeyId: "key_3" },
  shared: {
    outcome: "GRANTED",
    grant: {
      ...SHARED,
      quota: { id: "customer_acme", monthlyRequests: 500 },
      nextQuota: { id: "key_1", monthlyRequests: 10, from: "2026-12" },
      end: { how: "rotated", at: "2026-12-01T00:00:00.000Z" },
      customer: "acme",
    },
  },
};

describe("requests of connectAuth", () => {
  let calls: WireCheck[][];
  let opened: AsyncDisposableStack;
  let auth: ReturnType<typeof connectAuth>;

  beforeEach(async () => {
    calls = [];
    const authorize = ({ checks }: AuthorizeRequest__Output): AuthorizeResponse => {
      calls.push(checks);
      const grant = { keyId: "key", plan: "free" };
      const authorizations = checks.map(
        ({ key = "", origin }): Authorization =>
          OF_KEYS[key] ??
          (origin === undefined
            ? { outcome: "BAD_SIGNATURE" }
            : { outcome: "ORIGIN_NOT_ALLOWED", grant, refusedOrigin: origin }),
      );
      return { authorizations };
    };
    opened = new AsyncDisposableStack();
    const services = [serve(AUTH, { Authorize: authorize }, { maxRequestBytes: 2 ** 20 })];
    const server = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, log, services }));
    server.setServing(true);
    auth = opened.use(connectAuth(`127.0.0.1:${server.port}`, log, new Registry()));
    await waitFor("auth to respond", async () => (await auth.authorizeWithPosition(check({}))) !== null, DEADLINE_MS);
    calls = [];
  });
  afterEach(() => opened.disposeAsync());

  const check = (headers: Partial<KeyCheck>): KeyCheck => ({
    key: "geo_pk_1",
    origin: null,
    referer: null,
    ...headers,
  });

  it("return the quotas and the end of a key", async () => {
    const authorization = await auth.authorize(check({ key: "shared" }));
    expect(authorization)
      .to.have.property("grant")
      .that.deep.includes({
        quota: { id: "customer_acme", monthlyRequests: 500 },
        nextQuota: { id: "key_1", monthlyRequests: 10, from: "2026-12" },
        ends: { atMs: Date.UTC(2026, 11, 1), how: "rotated" },
        customer: "acme",
      });
  });

  it("return why a key has no active record, with its grant", async () => {
    const authorization = await auth.authorize(check({ key: "disabled" }));
    expect(authorization).to.deep.include({
      outcome: "unknown_key",
      end: { how: "disabled", at: "2026-11-30T00:00:00.000Z" },
    });
    const ends = { atMs: Date.UTC(2026, 10, 30), how: "disabled" };
    expect(authorization).to.have.property("grant").that.deep.includes({ keyId: "key_2", customer: "acme", ends });
  });

  it("return the ID of a revoked key", async () => {
    const authorization = await auth.authorize(check({ key: "revoked" }));
    expect(authorization).to.deep.equal({ outcome: "revoked_key", keyId: "key_3" });
  });

  it("send only the origin of a long referer", async () => {
    await auth.authorizeWithPosition(check({ referer: `https://Shop.example:8443/${"a".repeat(15_000)}` }));
    await auth.authorizeWithPosition(check({ referer: `about:${"a".repeat(15_000)}` }));
    await auth.authorizeWithPosition(check({ referer: "https://shop.example/page" }));
    expect(calls.flat().map(({ referer }) => referer)).to.deep.equal([
      "https://shop.example:8443",
      undefined,
      "https://shop.example/page",
    ]);
  });

  it("send enough of a long origin to have it refused, and return all of it to the caller", async () => {
    const origin = `https://${"a".repeat(15_000)}.example`;
    const { authorization } = await auth.authorizeWithPosition(check({ origin }));
    expect(calls.flat()[0]?.origin?.length).to.be.within(401, 500);
    expect(authorization).to.include({ outcome: "origin_not_allowed", refusedOrigin: origin });
  });

  it("fit into one message, whatever the headers", async () => {
    const long = check({ origin: "ä".repeat(7_000), referer: `https://shop.example/${"ä".repeat(7_000)}` });
    const authorizations = await Promise.all(Array.from({ length: 512 }, () => auth.authorizeWithPosition(long)));
    expect(authorizations).to.have.length(512);
  });

  it("batch checks that arrive within a few milliseconds, and never exceed auth's limit", async () => {
    const authorized: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let turn = 0; turn < 100; turn += 1) {
      for (let count = 0; count < 20; count += 1)
        authorized.push(auth.authorizeWithPosition(check({ key: `geo_pk_${turn}_${count}` })));
      await delay(1);
    }
    await Promise.all(authorized);
    expect(calls.flat()).to.have.length(2_000);
    expect(Math.max(...calls.map((checks) => checks.length))).to.be.at.most(MAX_BATCH);
    // A timer may fire a millisecond early. If batches didn't wait for the interval, each round would make a call, and a round takes
    // little more than a millisecond.
    expect(calls.length).to.be.at.most((performance.now() - startMs) / (BATCH_INTERVAL_MS - 1) + 2);
  });
});

describe("connectAuth with two nodes", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  /** Starts a node whose plan has its name. */
  const start = async (plan: string, state: { sequence: number; positionAgeMs: number; delayMs?: number }) => {
    const authorize = async ({ checks }: AuthorizeRequest__Output): Promise<AuthorizeResponse> => {
      await delay(state.delayMs ?? 0);
      const { sequence, positionAgeMs } = state;
      const authorizations = checks.map((): Authorization => ({ outcome: "GRANTED", grant: { keyId: "key", plan } }));
      return { authorizations, epoch: "epoch", sequence, positionAgeMs, rules: plan };
    };
    const services = [serve(AUTH, { Authorize: authorize })];
    const server = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, log, services }));
    server.setServing(true);
    return server;
  };
  const cases: readonly (readonly [
    name: string,
    first: Parameters<typeof start>[1],
    second: Parameters<typeof start>[1],
    used: string[],
    live: number,
  ])[] = [
    [
      "uses both if both follow the log",
      { sequence: 3, positionAgeMs: 900 },
      { sequence: 3, positionAgeMs: 0 },
      ["first", "second"],
      2,
    ],
    [
      "doesn't use one that lost its feed",
      { sequence: 3, positionAgeMs: 9_000 },
      { sequence: 3, positionAgeMs: 0 },
      ["second"],
      1,
    ],
    [
      "doesn't use one that is behind the other",
      { sequence: 2, positionAgeMs: 0 },
      { sequence: 3, positionAgeMs: 0 },
      ["second"],
      1,
    ],
    [
      "waits for one that is slow",
      { sequence: 3, positionAgeMs: 9_000 },
      { sequence: 3, positionAgeMs: 0, delayMs: 400 },
      ["second"],
      1,
    ],
    [
      "uses both if both lost their feeds",
      { sequence: 3, positionAgeMs: 9_000 },
      { sequence: 3, positionAgeMs: 8_000 },
      ["first", "second"],
      0,
    ],
  ];
  for (const [name, first, second, used, live] of cases)
    it(name, async () => {
      const ports = [await start("first", first), await start("second", second)].map(({ port }) => port);
      const registry = new Registry();
      const auth = opened.use(connectAuth(targetOf(...ports), log, registry));
      await waitFor("both nodes to be known", async () => (await auth.checkNodes()).rules === used[0], DEADLINE_MS);
      const plans = new Set<string>();
      for (let turn = 0; turn < 8; turn += 1) {
        const { authorization, ageMs } = await auth.authorizeWithPosition({
          key: "geo_pk_1",
          origin: null,
          referer: null,
        });
        if (authorization.outcome === "granted") plans.add(authorization.grant.plan);
        expect(Number.isFinite(ageMs)).to.equal(live > 0);
      }
      expect([...plans].sort()).to.deep.equal(used);
      expect((await auth.checkNodes()).isReached).to.equal(live > 0);
      const gauge = await registry.getSingleMetric("geolookup_gateway_auth_nodes_live")?.get();
      expect(gauge?.values[0]?.value).to.equal(live);
    });
});
