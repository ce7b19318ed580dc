import { freshIpv4 } from "./addresses.ts";
import { clusterAdmin } from "./cluster-admin.ts";
import { DOWN_ROWS, expectUnaffected, FAULT_KINDS, type FaultScene } from "./cluster-faults.ts";
import { expectCountsMatch, expectRecovered, sendFrom } from "./cluster-health.ts";
import { type ClusterParts, prepareCluster } from "./cluster-parts.ts";
import type { Settings } from "./deployment.ts";
import { type LoadKey, startLoad } from "./load.ts";
import { keyed } from "./slots.ts";

export const START_TIMEOUT_MS = 90_000;
export const STOP_TIMEOUT_MS = 40_000;
const FAULT_TIMEOUT_MS = 60_000;

const KEYS = 6;
/** Requests before a fault and after it. The load sends about 200 per second. */
const BEFORE = 60;
const AFTER = 60;

/** A running cluster with two processes of each service, and keys that every gateway has cached. */
export interface BusyCluster extends FaultScene {
  /** The load's keys, whose requests are counted. */
  keys: LoadKey[];
  /** Its requests aren't counted. */
  known: LoadKey;
}

interface BusyClusterOptions {
  /** Whether all suites with this option share one cluster, which is repaired before each and stopped at the end. */
  isShared?: boolean;
  proxied?: boolean;
  secure?: boolean;
  settings?: Settings;
}

let shared: Promise<BusyCluster> | undefined;

after("stop the shared cluster", async function () {
  this.timeout(Math.max(this.timeout(), STOP_TIMEOUT_MS));
  await (await shared?.catch(() => undefined))?.cluster.stopAll();
});

/**
 * Registers a suite with a cluster of two processes of each service, started before it and stopped after it unless shared.
 * @param define gets a function that returns the running cluster; call it inside hooks and tests only.
 */
export function onBusyCluster(title: string, options: BusyClusterOptions, define: (busy: () => BusyCluster) => void) {
  describe(title, () => {
    let busy: BusyCluster;
    before("start a cluster", async function () {
      this.timeout(START_TIMEOUT_MS);
      busy = await (options.isShared ? repairedCluster() : startBusyCluster(options));
    });
    after("stop it", async function () {
      this.timeout(STOP_TIMEOUT_MS);
      if (!options.isShared) await busy?.cluster.stopAll();
    });
    define(() => busy);
  });
}

/** The shared cluster, after restarting everything that an earlier suite has stopped. */
async function repairedCluster(): Promise<BusyCluster> {
  shared ??= startBusyCluster({});
  const busy = await shared;
  await busy.cluster.startAll();
  await expectRecovered(busy.cluster, busy.admin, busy.known);
  return busy;
}

async function startBusyCluster({ settings = {}, ...options }: BusyClusterOptions): Promise<BusyCluster> {
  const cluster = await prepareCluster({ GATEWAYS: "2", AUTH: "2", GEO: "2", USAGE: "2", ...settings }, options);
  await cluster.startAll();
  const admin = clusterAdmin(cluster);
  const [known, ...keys] = await admin.issueKeys(KEYS + 1);
  if (!known) throw new Error("no key was issued");
  await expectRecovered(cluster, admin, known);
  await warmCaches(cluster, keys);
  const unseen = await admin.issueKeys(2 * DOWN_ROWS.length);
  const unseenKey = async () => unseen.pop() ?? admin.issueKey();
  return { cluster, admin, keys, known, unseenKey };
}

/** Sends every key to every gateway once, so that all gateways have cached it when a fault begins. */
async function warmCaches(cluster: ClusterParts, keys: readonly LoadKey[]): Promise<void> {
  for (const url of cluster.gatewayUrls)
    for (const key of keys) {
      key.sent += 1;
      if ((await sendFrom(url, freshIpv4(), keyed(key.key))).status === 200) key.served += 1;
    }
}

/**
 * Registers one test for each combination: breaks a row's processes under load, asserts the row, repairs them, and asserts that
 * everything recovers and that counts match.
 * @param options.wanted selects the combinations of row and kind of fault.
 * @param options.during the number of requests during a fault.
 * @param options.isShared whether faults that need no proxies use the shared cluster.
 */
export function faultSuite(
  title: string,
  {
    wanted,
    during,
    isShared = false,
  }: { wanted: (row: string, kind: string) => boolean; during: number; isShared?: boolean },
): void {
  for (const proxied of [false, true]) {
    const cases = DOWN_ROWS.flatMap((row) =>
      FAULT_KINDS.filter(
        ({ name, proxied: needsProxy, only = row.name }) =>
          needsProxy === proxied && only === row.name && wanted(row.name, name),
      ).map((kind) => ({
        row,
        kind,
      })),
    );
    if (cases.length === 0) continue;
    onBusyCluster(
      `${title} (${proxied ? "through proxies" : "directly"})`,
      { proxied, isShared: isShared && !proxied },
      (busy) => {
        for (const { row, kind } of cases)
          it(`${row.name}: ${kind.name}`, async function () {
            this.timeout(FAULT_TIMEOUT_MS);
            const { cluster, admin, keys, known } = busy();
            const parts = row.parts(cluster);
            const load = startLoad({ urls: cluster.gatewayUrls, keys });
            try {
              await load.more(BEFORE);
              await Promise.all(parts.map(kind.break));
              try {
                await row.during(busy());
                await load.more(during);
              } finally {
                await Promise.all(parts.map(kind.repair));
              }
              const recoveredMs = await expectRecovered(cluster, admin, known);
              await load.more(AFTER);
              const figures = [recoveredMs, load.report.slowestMs].map(Math.round);
              this.runnable().title += `: recovered in ${figures[0]} ms, slowest response ${figures[1]} ms`;
            } finally {
              await load.stop();
            }
            expectUnaffected(load.report, row);
            // A response that was lost because of the fault may be recorded.
            const isAnyCutOff = Object.keys(load.report.errors).length > 0 || load.report.retried > 0;
            await expectCountsMatch(cluster, admin, keys, !(row.cutsCallers && (kind.kills || isAnyCutOff)));
          });
      },
    );
  }
}
