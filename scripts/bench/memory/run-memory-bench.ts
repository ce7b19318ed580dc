import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startClusterFew, startClusterMany } from "../contestants/cluster.ts";
import { FEW_KEYS, type Site, type Testbed } from "../contestants/contestant.ts";
import { startStandaloneFew, startStandaloneMany } from "../contestants/standalone.ts";
import { findDatabases } from "../find-databases.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import type { BenchSettings } from "../settings.ts";
import { measuredEnvironment } from "./held-memory.ts";
import { measureConnections, measureDatabases, measureKeys } from "./measure-memory.ts";
import { type KeyMemory, type MemoryResult, memoryMarkdown } from "./memory-report.ts";

/**
 * Measures the memory of keys, connections and databases, and writes `bench/memory.json` and `.md` in the data folder. Other load
 * on the machine doesn't affect the result.
 * @param say called with each step. If it throws, the run ends and everything it started is stopped.
 * @throws StartError if there are no databases; Error if something can't be started.
 */
export async function runMemoryBench(
  settings: BenchSettings,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ markdown: string; ok: boolean }> {
  const { manyKeys, dataDir } = settings;
  const paths = await findDatabases(environment, dataDir);
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-memory-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
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
  const markdown = memoryMarkdown(result);
  const results = join(dataDir, "bench");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "memory.md"), markdown);
  const plain = keys.map((each) => ({
    ...each,
    few: Object.fromEntries(each.few),
    many: Object.fromEntries(each.many),
  }));
  writeFileSync(join(results, "memory.json"), `${JSON.stringify({ ...result, keys: plain }, null, 2)}\n`);
  return { markdown, ok: true };
}
