import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { freshIpv4 } from "./addresses.ts";
import type { ClusterAdmin } from "./cluster-admin.ts";
import { sendFrom } from "./cluster-health.ts";
import type { ClusterPart } from "./cluster-part.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import { onRedis } from "./cluster-redis.ts";
import type { LoadKey, LoadReport } from "./load.ts";
import { keyed } from "./slots.ts";

/** The context of a fault's test. */
export interface FaultScene {
  cluster: ClusterParts;
  admin: ClusterAdmin;
  /** A new key that no gateway has cached. */
  unseenKey(): Promise<LoadKey>;
}

/** What callers may see while a part is down (see docs/architecture.md). */
export interface DownRow {
  /** The part that is down. */
  name: string;
  /** The affected processes. */
  parts(cluster: ClusterParts): ClusterPart[];
  /** Asserts the row while the part is down, in addition to the load's own assertions. */
  during(scene: FaultScene): Promise<void>;
  /** Whether responses may be partial. */
  partial?: true;
  /** Whether callers of the broken part may lose connections, because it is the gateway itself. */
  cutsCallers?: true;
}

const LIMIT = 60;
/** After this time, a gateway without responses from geo no longer serves cached records (200 ms). */
const CACHE_EXPIRED_MS = 250;

export const DOWN_ROWS: readonly DownRow[] = [
  {
    name: "one gateway of two",
    parts: (cluster) => [cluster.part("gateway-1")],
    cutsCallers: true,
    during: async ({ cluster, unseenKey }) => {
      const other = cluster.gatewayUrls[1] ?? "";
      expect((await sendFrom(other, freshIpv4(), keyed((await unseenKey()).key))).status).to.equal(200);
      expect((await sendFrom(other, freshIpv4())).status).to.equal(200);
    },
  },
  {
    name: "one geo node of two",
    parts: (cluster) => [cluster.part("geo-1")],
    during: async () => {},
  },
  {
    name: "geo, all nodes",
    parts: (cluster) => cluster.ofKind("geo"),
    partial: true,
    during: async ({ cluster, unseenKey }) => {
      const { key } = await unseenKey();
      await setTimeout(CACHE_EXPIRED_MS);
      for (const url of cluster.gatewayUrls) {
        const response = await sendFrom(url, freshIpv4(), keyed(key));
        expect(response.status).to.equal(200);
        expect(response.json).to.include({ country: null, city: null, partial: true });
      }
    },
  },
  {
    name: "auth",
    parts: (cluster) => cluster.ofKind("auth"),
    during: async ({ cluster, unseenKey }) => {
      const { key } = await unseenKey();
      for (const url of cluster.gatewayUrls) {
        const unseen = await sendFrom(url, freshIpv4(), keyed(key));
        expect({ status: unseen.status, code: unseen.json.error.code }).to.deep.equal({
          status: 500,
          code: "internal_error",
        });
        expect(Number(unseen.headers["retry-after"])).to.be.at.least(1);
        expect((await sendFrom(url, freshIpv4())).status).to.equal(200);
        expect((await sendFrom(url, freshIpv4(), keyed("nonsense"))).status).to.equal(401);
      }
    },
  },
  {
    name: "Redis",
    parts: (cluster) => cluster.ofKind("redis"),
    during: async ({ cluster }) => {
      // One gateway still admits at most 60.
      for (const url of cluster.gatewayUrls) {
        const from = freshIpv4();
        const responses = await Promise.all(Array.from({ length: LIMIT + 10 }, () => sendFrom(url, from)));
        expect(responses.filter(({ status }) => status === 200)).to.have.length(LIMIT);
        expect(responses.filter(({ status }) => status === 429)).to.have.length(10);
      }
    },
  },
  {
    name: "NATS",
    parts: (cluster) => cluster.ofKind("nats"),
    during: async ({ admin }) => {
      const refusal = await admin.issueKey().then(
        () => null,
        (error: Error & { code?: string }) => error,
      );
      expect(refusal, "issuing a key without its log").to.include({ name: "ServiceError", code: "unavailable" });
      expect(refusal?.message).to.match(/key|log|NATS/i);
    },
  },
  {
    name: "usage",
    parts: (cluster) => cluster.ofKind("usage"),
    during: async ({ cluster, unseenKey }) => {
      const { key } = await unseenKey();
      for (const url of cluster.gatewayUrls)
        expect((await sendFrom(url, freshIpv4(), keyed(key))).status, "a key without a reported total").to.equal(200);
    },
  },
];

/** A way to break processes and to repair them. */
export interface FaultKind {
  name: string;
  /** Whether it requires a cluster with proxies. */
  proxied: boolean;
  /** Whether the process loses its memory. */
  kills: boolean;
  /** The only row that it applies to; default: all. */
  only?: string;
  break(part: ClusterPart): Promise<void>;
  repair(part: ClusterPart): Promise<void>;
}

export const FAULT_KINDS: readonly FaultKind[] = [
  {
    name: "SIGKILL and restart",
    proxied: false,
    kills: true,
    break: (part) => part.kill(),
    repair: (part) => part.start(),
  },
  {
    name: "SIGSTOP and SIGCONT",
    proxied: false,
    kills: false,
    break: async (part) => part.pause(),
    repair: async (part) => part.resume(),
  },
  {
    name: "black-holed",
    proxied: true,
    kills: false,
    break: async (part) => part.blackhole(),
    repair: async (part) => part.open(),
  },
  {
    name: "FLUSHALL",
    proxied: false,
    kills: false,
    only: "Redis",
    break: (part) => onRedis(part, async (client) => void (await client.flushAll())),
    repair: async () => {},
  },
];

/** The maximum wait for a part that is down behind a gateway, since every remote call has a deadline. */
const SLOWEST_MS = 1_500;

/** Asserts the report of a load during a fault and after it. */
export function expectUnaffected(report: LoadReport, row: DownRow): void {
  expect(report.statuses, "statuses").to.have.all.keys("200");
  if (row.cutsCallers) return;
  expect(report.errors, "requests without a response").to.deep.equal({});
  expect(report.slowestMs, "the slowest response, ms").to.be.below(SLOWEST_MS);
  if (!row.partial) expect(report.partial, "partial responses").to.equal(0);
}
