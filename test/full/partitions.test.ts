import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { type ClusterAdmin, clusterAdmin } from "../harness/cluster-admin.ts";
import { expectCountsMatch, expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { type NatsCluster, startNatsCluster } from "../harness/nats-cluster.ts";
import { keyed } from "../harness/slots.ts";
import type { TcpProxy } from "../harness/tcp-proxy.ts";
import { waitFor } from "../harness/wait-for.ts";

const CLIENTS = ["gateway-1", "gateway-2", "auth-1", "auth-2", "usage-1"];
const CUT_MS = 60_000;
const START_MS = 120_000;
/** After a cut, servers elect leaders, and clients whose connection attempts were held try again. */
const RECOVERY_MS = 20_000;
/** The promise for a changed key, at every gateway that reaches an auth node that has every key event. */
const CHANGED_WITHIN_MS = 30_000;
/** A process leaves a NATS server within 10 s; a flush and a refresh of usage take another second each. */
const UNKNOWN_SECONDS = 12;
/** Those of a new connection until the counts of all gateways have arrived, as docs/limits.md says. */
const ROUND_TRIPS_UNKNOWN = 6;
/** Those of a new connection until auth has read the key log, and of a change itself. */
const ROUND_TRIPS_OF_CHANGE = 10;
/** The fixtures' plan `hundred`. */
const INCLUDED = 100;
const QUOTA_INTERVAL_MS = 500;
const PAUSE_MS = 35_000;

/** What is wrong with the network for a minute. */
interface Cut {
  name: string;
  links(): readonly TcpProxy[];
  apply(link: TcpProxy): void;
  /** The auth nodes that can change keys meanwhile, after 10 s. */
  writable: readonly string[];
  /** Whether every gateway's counts reach the others meanwhile. */
  sharesUsage: boolean;
  /** What a round trip to NATS takes, in seconds. */
  roundTripSeconds?: number;
}

const blackhole = (link: TcpProxy) => link.blackhole();
const refuse = (link: TcpProxy) => link.refuse();

describe("partitions of a cluster on three NATS servers", () => {
  let nats: NatsCluster;
  let cluster: ClusterParts;
  let admin: ClusterAdmin;
  let known: LoadKey;
  let keys: LoadKey[];
  let opened: AsyncDisposableStack;

  before(async function () {
    this.timeout(START_MS);
    opened = new AsyncDisposableStack();
    nats = opened.use(await startNatsCluster(CLIENTS));
    cluster = await prepareCluster({ GATEWAYS: "2", AUTH: "2", GEO: "1", USAGE: "1" }, { natsUrlFor: nats.urlFor });
    opened.defer(() => cluster.stopAll());
    await cluster.startAll();
    admin = clusterAdmin(cluster);
    keys = await waitFor("keys", () => admin.issueKeys(4), RECOVERY_MS);
    known = await admin.issueKey();
    await expectRecovered(cluster, admin, known, RECOVERY_MS);
  });
  after(async function () {
    this.timeout(START_MS);
    await opened.disposeAsync();
  });

  /** The NATS server to which a process is connected. */
  const serverOf = (client: string) => {
    const ports = nats.linksOf(client).map(({ port }) => `127.0.0.1:${port}`);
    const line = cluster
      .output()
      .split("\n")
      .findLast((text) => text.startsWith(client) && text.includes('"connected to NATS"'));
    return Math.max(
      0,
      ports.findIndex((port) => line?.includes(`"${port}"`)),
    );
  };
  const responseOf = async (url: string, { key }: LoadKey) => {
    const { status, json } = await sendFrom(url, freshIpv4(), keyed(key));
    return status === 200 ? "200" : `${status} ${json.error.code}`;
  };
  /** Lets every gateway serve new keys once. */
  const usedKeys = async (count: number, plan?: string) => {
    const used = await admin.issueKeys(count, plan);
    for (const key of used)
      for (const url of cluster.gatewayUrls)
        await waitFor("a new key", async () => (await responseOf(url, key)) === "200", RECOVERY_MS);
    return used;
  };
  /** Revokes keys through one auth node. @returns how long each gateway served them afterwards, at most, in ms. */
  const revoke = async (revoked: readonly LoadKey[], through: string, withinMs = RECOVERY_MS) => {
    const node = clusterAdmin(cluster, through);
    const acknowledged = await Promise.all(
      revoked.map(async ({ keyId }) => {
        await waitFor(`a revocation through ${through}`, () => node.revoke(keyId), withinMs, 500);
        return performance.now();
      }),
    );
    const lateMs = cluster.gatewayUrls.map(() => 0);
    const watch = async (url: string, gateway: number, key: LoadKey, sinceMs: number) => {
      for (;;) {
        const askedMs = performance.now();
        const response = await responseOf(url, key);
        expect(response).to.be.oneOf(["200", "401 revoked_key"]);
        if (response !== "200") return;
        lateMs[gateway] = Math.max(lateMs[gateway] ?? 0, askedMs - sinceMs);
        if (askedMs - sinceMs > CUT_MS) return;
        await delay(500);
      }
    };
    await Promise.all(
      cluster.gatewayUrls.flatMap((url, gateway) =>
        revoked.map((key, index) => watch(url, gateway, key, acknowledged[index] ?? 0)),
      ),
    );
    return lateMs;
  };
  /** Sends requests with one key to both gateways. @returns how many they served together. */
  const spend = async (key: LoadKey, untilMs: number) => {
    let served = 0;
    while (performance.now() < untilMs) {
      const responses = cluster.gatewayUrls.map((url) => responseOf(url, key));
      for (const response of await Promise.all(responses)) {
        expect(response).to.be.oneOf(["200", "429 quota_exceeded"]);
        if (response === "200") served += 1;
      }
      await delay(QUOTA_INTERVAL_MS);
    }
    return served;
  };
  const emptied = () => cluster.output().split("authorization cache emptied").length;

  const cuts: readonly Cut[] = [
    {
      name: "gateway-1 and auth-1 are cut off from NATS, by dropped packets",
      links: () => ["gateway-1", "auth-1"].flatMap(nats.linksOf),
      apply: blackhole,
      writable: ["auth-2"],
      sharesUsage: false,
    },
    {
      name: "gateway-1 and auth-1 are cut off from NATS, by refused connections",
      links: () => ["gateway-1", "auth-1"].flatMap(nats.linksOf),
      apply: refuse,
      writable: ["auth-2"],
      sharesUsage: false,
    },
    {
      name: "the NATS server of gateway-1 is cut off from the others, by dropped packets",
      links: () => nats.routesOf(serverOf("gateway-1")),
      apply: blackhole,
      writable: ["auth-1", "auth-2"],
      sharesUsage: true,
    },
    {
      name: "the NATS server of gateway-1 is cut off from the others, by refused connections",
      links: () => nats.routesOf(serverOf("gateway-1")),
      apply: refuse,
      writable: ["auth-1", "auth-2"],
      sharesUsage: true,
    },
    {
      name: "gateway-1 is cut off from its NATS server only",
      links: () => nats.linksOf("gateway-1").slice(serverOf("gateway-1"), serverOf("gateway-1") + 1),
      apply: blackhole,
      writable: ["auth-1", "auth-2"],
      sharesUsage: true,
    },
    {
      name: "the NATS servers are 100 ms away from each other",
      links: () => [0, 1, 2].flatMap(nats.routesOf),
      apply: (link) => link.delay(100),
      writable: ["auth-1", "auth-2"],
      sharesUsage: true,
    },
    {
      name: "every process is a second away from NATS",
      links: () => CLIENTS.flatMap(nats.linksOf),
      apply: (link) => link.delay(1_000),
      writable: ["auth-1", "auth-2"],
      sharesUsage: true,
      roundTripSeconds: 2,
    },
  ];
  for (const { name, links, apply, writable, sharesUsage, roundTripSeconds = 0 } of cuts)
    it(name, async function () {
      this.timeout(CUT_MS + START_MS);
      const [revoked, [limited]] = [await usedKeys(20), await usedKeys(1, "hundred")];
      const emptiedBefore = emptied();
      const cut = links();
      const load = startLoad({ urls: cluster.gatewayUrls, keys, clients: 4, requestsPerSecond: 40 });
      try {
        for (const link of cut) apply(link);
        const startedMs = performance.now();
        const spending = spend(limited as LoadKey, startedMs + CUT_MS);
        const changeMs = RECOVERY_MS + ROUND_TRIPS_OF_CHANGE * roundTripSeconds * 1_000;
        const lateMs = await revoke(revoked, writable.at(-1) ?? "", changeMs);
        for (const late of lateMs) expect(late, "served after the revocation, ms").to.be.at.most(CHANGED_WITHIN_MS);
        for (const node of writable)
          await waitFor(`a key from ${node}`, () => clusterAdmin(cluster, node).issueKey(), changeMs, 500);
        const served = await spending;
        const unknownSeconds = UNKNOWN_SECONDS + ROUND_TRIPS_UNKNOWN * roundTripSeconds;
        const bound = (unknownSeconds * 1_000) / QUOTA_INTERVAL_MS;
        if (sharesUsage)
          expect(served, "requests of a key that includes 100").to.be.within(INCLUDED - 4, INCLUDED + bound);
        this.runnable().title += `: revoked after ${lateMs.map(Math.round).join(" and ")} ms, ${served} of ${INCLUDED}`;
      } finally {
        for (const link of cut) {
          link.delay(0);
          link.open();
        }
        await load.stop();
      }
      await nats.untilCurrent();
      await expectRecovered(cluster, admin, known, RECOVERY_MS);
      expect(load.report.statuses).to.have.all.keys("200");
      expect(load.report.errors).to.deep.equal({});
      await expectCountsMatch(cluster, admin, keys, true);
      expect(emptied(), "authorization caches emptied").to.equal(emptiedBefore);
    });

  it("no process reaches NATS: known keys keep working, and revocations follow", async function () {
    this.timeout(CUT_MS + START_MS);
    const [key] = await usedKeys(1);
    const cut = CLIENTS.flatMap(nats.linksOf);
    const load = startLoad({ urls: cluster.gatewayUrls, keys, clients: 4, requestsPerSecond: 40 });
    try {
      for (const link of cut) blackhole(link);
      await delay(CUT_MS);
      for (const { opsUrl } of cluster.ofKind("gateway")) {
        const text = await (await fetch(`${opsUrl}/metrics`)).text();
        expect(text).to.match(/^geolookup_gateway_auth_nodes_live 0$/m);
        expect(Number(/^geolookup_key_log_age_seconds (\S+)$/m.exec(text)?.[1])).to.be.at.least(CUT_MS / 1_000 - 5);
      }
      for (const { opsUrl } of cluster.ofKind("auth")) expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(200);
    } finally {
      for (const link of cut) link.open();
      await load.stop();
    }
    await expectRecovered(cluster, admin, known, RECOVERY_MS);
    for (const late of await revoke([key as LoadKey], "auth-1")) expect(late).to.be.below(5_000);
    expect(load.report.statuses).to.have.all.keys("200");
    await expectCountsMatch(cluster, admin, keys, true);
  });

  it("a gateway that was paused over a revocation refuses every waiting request", async function () {
    this.timeout(PAUSE_MS + START_MS);
    const [key] = (await usedKeys(1)) as [LoadKey];
    const [url = ""] = cluster.gatewayUrls;
    cluster.part("gateway-1").pause();
    try {
      await waitFor("the revocation", () => admin.revoke(key.keyId), RECOVERY_MS, 500);
      // Unlike the other requests, these have no timeout of 10 s.
      const statusOf = async () => (await fetch(`${url}/v1/geo?key=${key.key}`)).status;
      const waiting = Promise.all(Array.from({ length: 50 }, statusOf));
      await delay(PAUSE_MS);
      cluster.part("gateway-1").resume();
      expect([...new Set(await waiting)]).to.deep.equal([401]);
    } finally {
      cluster.part("gateway-1").resume();
    }
    await expectRecovered(cluster, admin, known, RECOVERY_MS);
  });
});
