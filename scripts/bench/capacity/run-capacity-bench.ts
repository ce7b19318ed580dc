import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import { findDatabases } from "../find-databases.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import type { BenchSettings } from "../settings.ts";
import { spreadOf } from "../statistics.ts";
import { deriveCosts, POINT_NAMES, type Point, type PointName } from "./derive-costs.ts";
import { ISSUED_KEYS, measureOneGateway, measureTwoGateways, type PointsRun } from "./measure-points.ts";
import { measureSyncMicros } from "./measure-sync.ts";
import type { CapacityTestbed } from "./measured-cluster.ts";
import { costsJson, costsMarkdown } from "./report-costs.ts";
import { startYardstick } from "./yardstick.ts";

/**
 * Measures the figures of the capacity model (scripts/capacity/figures.ts), and writes `bench/capacity.json` and `.md` in the
 * data folder.
 * @param say called with each step. If it throws, the run ends and everything it started is stopped.
 * @throws StartError if there are no databases; Error if something can't be started, or a request fails.
 */
export async function runCapacityBench(
  settings: BenchSettings,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ markdown: string; ok: boolean }> {
  const databases = await findDatabases(environment, settings.dataDir);
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-capacity-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const geoData = geoDataFolder(settings.dataDir);
  const testbed: CapacityTestbed = { folder, databases, geoData, issued: issueKeys(ISSUED_KEYS, folder) };
  const points = Object.fromEntries(POINT_NAMES.map((name) => [name, [] as Point[]])) as Record<PointName, Point[]>;
  const generator = opened.use(await startGenerator());
  const yardstick = opened.use(await startYardstick());
  const besideMicros: number[] = [];
  const run: PointsRun = { testbed, points, generator, yardstick, besideMicros, say };
  const publishMicros = await measureOneGateway(run);
  await measureTwoGateways(run);
  const result = {
    ...deriveCosts(points, publishMicros),
    besideMicros: spreadOf(besideMicros).median,
    syncMicros: measureSyncMicros(folder),
  };
  const results = join(settings.dataDir, "bench");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "capacity.json"), costsJson(result, points));
  const markdown = costsMarkdown(result);
  writeFileSync(join(results, "capacity.md"), markdown);
  return { markdown, ok: true };
}
