import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Testbed } from "./contestants/contestant.ts";
import { startSites } from "./contestants/start-sites.ts";
import { writePlans } from "./keys.ts";
import { startGenerator } from "./load/start-generator.ts";
import { measureAll, notMeasured } from "./measure.ts";
import { asMarkdown } from "./report.ts";
import type { BenchSettings } from "./settings.ts";

/**
 * Measures the contestants.
 * @param databases paths of the geo databases: IPv4 places, IPv6 places, networks.
 * @param say takes a line about the next step. If it throws, the run ends and everything it started is stopped.
 * @returns the report, and whether its figures are valid: every contestant served all requests with 200.
 */
export async function runBench(
  settings: BenchSettings,
  databases: readonly string[],
  say: (line: string) => void,
): Promise<{ markdown: string; ok: boolean }> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-bench-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const profiles = join(settings.dataDir, "bench", "profiles");
  const environment: Testbed["environment"] = settings.profile
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }
    : {};
  const testbed: Testbed = { folder, databases, plansFile: writePlans(folder), environment };
  const notes: string[] = [];
  const note = (line: string) => {
    notes.push(line);
    say(line);
  };
  const site = opened.use(await startSites(settings, testbed, say, note));
  const generator = opened.use(await startGenerator());
  const measured = site.contestants.map(notMeasured);
  await measureAll(measured, generator, settings, say);
  return { markdown: asMarkdown(measured, notes), ok: measured.every(({ problems }) => problems.length === 0) };
}
