import { geoDataFolder } from "@geolookup/geo/databases/installed-databases.ts";
import type { BenchReport, BenchRun } from "../bench-run.ts";
import { issueKeys } from "../keys.ts";
import { startGenerator } from "../load/start-generator.ts";
import { spreadOf } from "../statistics.ts";
import { deriveCosts, POINT_NAMES, type Point, type PointName } from "./derive-costs.ts";
import { ISSUED_KEYS, measureOneGateway, measureTwoGateways, type PointsRun } from "./measure-points.ts";
import { measureSyncMicros } from "./measure-sync.ts";
import type { CapacityTestbed } from "./measured-cluster.ts";
import { costsJson, costsMarkdown } from "./report-costs.ts";
import { startYardstick } from "./yardstick.ts";

/**
 * Measures the figures of the capacity model (scripts/capacity/figures.ts).
 * @throws Error if something can't be started, or a request fails.
 */
export async function runCapacityBench({ settings, databases, folder, say }: BenchRun): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
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
  return { markdown: costsMarkdown(result), json: costsJson(result, points), ok: true };
}
