import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchReport, BenchRun } from "../bench-run.ts";
import { startClusterFew, startClusterMany } from "../contestants/cluster.ts";
import { FEW_KEYS, type Site, type Testbed } from "../contestants/contestant.ts";
import { startStandaloneFew, startStandaloneMany } from "../contestants/standalone.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import { measuredEnvironment } from "./held-memory.ts";
import { measureConnections, measureDatabases, measureKeys } from "./measure-memory.ts";
import { type KeyMemory, type MemoryResult, memoryMarkdown } from "./memory-report.ts";

/**
 * Measures the memory of keys, connections and databases. Other load on the machine doesn't affect the result.
 */
export async function runMemoryBench({ settings, databases: paths, folder, say }: BenchRun): Promise<BenchReport> {
  const { manyKeys } = settings;
  await using opened = new AsyncDisposableStack();
  say("databases");
  const databases = await measureDatabases(paths);
  const issued = issueKeys(manyKeys, folder);
  const generator = opened.use(await startGenerator());
  let connections: MemoryResult["connections"] = { count: 0, bytes: Number.NaN };

  /** Sites run one at a time, each in its own folder. */
  const measure = async (name: string, start: (testbed: Testbed) => Promise<Site>) => {
    say(name);
    const own = join(folder, name.replaceAll(" ", "-"));
    const reports = join(own, "memory");
    mkdirSync(reports, { recursive: true });
    const testbed = { folder: own, databases: paths, issued, environment: measuredEnvironment(reports) };
    await using running = new AsyncDisposableStack();
    const site = running.use(await start(testbed));
    const held = await measureKeys(site, { reports, generator, requests: manyKeys });
    if (name === "standalone few") connections = await measureConnections(site, reports);
    return held;
  };
  const keys: KeyMemory[] = [];
  for (const [deployment, startFew, startMany] of [
    ["standalone", startStandaloneFew, startStandaloneMany],
    ["cluster", (testbed: Testbed) => startClusterFew(testbed, false), startClusterMany],
  ] as const) {
    const few = await measure(`${deployment} few`, startFew);
    const many = await measure(`${deployment} many`, startMany);
    keys.push({ deployment, fewKeys: FEW_KEYS, manyKeys, few, many });
  }
  const result = { keys, connections, databases };
  const plain = keys.map((each) => ({
    ...each,
    few: Object.fromEntries(each.few),
    many: Object.fromEntries(each.many),
  }));
  const json = `${JSON.stringify({ ...result, keys: plain }, null, 2)}\n`;
  return { markdown: memoryMarkdown(result), json, ok: true };
}
