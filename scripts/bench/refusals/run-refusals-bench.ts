import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBare } from "../contestants/bare.ts";
import { startBenchCluster } from "../contestants/cluster.ts";
import { KEYED_PATH } from "../contestants/contestant.ts";
import { findDatabases } from "../find-databases.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import { notMeasured, waitUntilServing } from "../measure.ts";
import { addCounts } from "../overload.ts";
import type { BenchSettings } from "../settings.ts";
import { spreadOf, sumOf } from "../statistics.ts";

/** The gateway has slots for one request in flight and one that waits, so that it refuses nearly all of the load. */
const MAX_IN_FLIGHT = 1;
const CONNECTIONS = 4_096;
const DURATION_MS = 3_000;
const ROUNDS = 5;
/** The least share of refusals among the gateway's responses. */
const MIN_REFUSED = 0.95;

/** One contestant's CPU time per response, in microseconds, and its statuses in all rounds. */
interface Row {
  name: string;
  micros: number[];
  statuses: Record<string, number>;
}

/**
 * Measures the CPU time of a gateway that refuses requests because it has no slot for them, and that of servers that send a fixed
 * response over as many connections. Writes `bench/refusals.md` in the data folder.
 * @param say takes a line about the next step. If it throws, the run ends and everything it started is stopped.
 * @returns Markdown, and whether nearly all requests to the gateway were refused.
 * @throws StartError if there are no databases; Error if something can't be started.
 */
export async function runRefusalsBench(
  settings: BenchSettings,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ markdown: string; ok: boolean }> {
  const databases = await findDatabases(environment, settings.dataDir);
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-refusals-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
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

  const contestants = [gateway, ...bare.flatMap(({ contestants }) => contestants)];
  const rows = contestants.map(({ name }): Row => ({ name, micros: [], statuses: {} }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { name, port, pids, requests }] of contestants.entries()) {
      say(`round ${round + 1} of ${ROUNDS}: ${name}`);
      const order = { port, pids, requests, connections: CONNECTIONS, durationMs: DURATION_MS };
      const load = await generator.send({ ...order, pace: { kind: "closed" } });
      const { micros = [], statuses = {} } = rows[index] ?? {};
      micros.push(load.contestantMicros / (load.latency.count + load.refusedLatency.count));
      addCounts(statuses, load.statuses);
      addCounts(statuses, load.failures);
    }
  const markdown = asMarkdown(rows);
  const results = join(settings.dataDir, "bench");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "refusals.md"), markdown);
  const { 500: refused = 0, ...others } = rows[0]?.statuses ?? {};
  return { markdown, ok: refused > MIN_REFUSED * (refused + sumOf(Object.values(others))) };
}

function asMarkdown(rows: readonly Row[]): string {
  const lines = rows.map(({ name, micros, statuses }) => {
    const { median, minimum, maximum } = spreadOf(micros);
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    return `| ${name} | ${median.toFixed(1)} (${minimum.toFixed(1)}–${maximum.toFixed(1)}) | ${counts.join(", ")} |`;
  });
  return [
    `${CONNECTIONS} connections, each sending its next request as soon as it has a response; ${ROUNDS} rounds of ${DURATION_MS / 1_000} s`,
    "",
    "| | CPU µs per response, median (lowest–highest) | Responses |",
    "|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
