import type { BenchReport, BenchRun } from "../bench-run.ts";
import { startBare } from "../contestants/bare.ts";
import { startBenchCluster } from "../contestants/cluster.ts";
import { KEYED_PATH } from "../contestants/contestant.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import { notMeasured, waitUntilServing } from "../measure.ts";
import { addCounts } from "../statistics.ts";
import { asMarkdown, refusedOnly } from "./results.ts";

/** The gateway has slots for one request in flight and one that waits, so that it refuses nearly all of the load. */
const MAX_IN_FLIGHT = 1;
const CONNECTIONS = 4_096;
const DURATION_MS = 3_000;
/** Without the first one, in which code is compiled. */
const ROUNDS = 5;

/**
 * Measures the CPU time of a gateway that refuses requests because it has no slot for them, and that of servers that send a fixed
 * response over as many connections. The figures are valid if the gateway refused nearly all requests and the other servers none.
 */
export async function runRefusalsBench({ databases, folder, say }: BenchRun): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const testbed = { folder, databases, issued: issueKeys(1, folder) };
  const { keys } = testbed.issued;
  const cluster = opened.use(
    await startBenchCluster(testbed, "cluster", keys.length, { MAX_IN_FLIGHT: `${MAX_IN_FLIGHT}` }),
  );
  const bare = [
    opened.use(await startBare("node-http", "contestants/node-http-server.ts")),
    opened.use(await startBare("node-net", "contestants/node-net-server.ts")),
  ];
  const generator = opened.use(await startGenerator());
  const pids = cluster.addresses.gateway.map(({ pid }) => pid);
  const gateway = { name: "gateway", port: cluster.port, pids, requests: { path: KEYED_PATH, keys } };
  await waitUntilServing(notMeasured(gateway));

  const contestants = [gateway, ...bare.flatMap((site) => site.contestants)];
  const rows = contestants.map((contestant) => ({ contestant, microsPerResponse: [] as number[], outcomes: {} }));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { contestant, microsPerResponse, outcomes } of rows) {
      say(round === 0 ? `warming up ${contestant.name}` : `round ${round} of ${ROUNDS}: ${contestant.name}`);
      const order = { ...contestant, connections: CONNECTIONS, durationMs: DURATION_MS };
      const load = await generator.send({ ...order, pace: { kind: "closed" } });
      if (round === 0) continue;
      microsPerResponse.push(load.contestantMicros / (load.latency.count + load.refusedLatency.count));
      addCounts(outcomes, load.statuses);
      addCounts(outcomes, load.failures);
    }
  const results = rows.map(({ contestant: { name }, ...measured }) => ({ name, ...measured }));
  const heading = `${CONNECTIONS} connections, each sending its next request as soon as it has a response; ${ROUNDS} rounds of ${DURATION_MS / 1_000} s`;
  return { markdown: `${heading}\n\n${asMarkdown(results)}`, ok: refusedOnly("gateway", results) };
}
