import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FEW_KEYS, type Testbed } from "./contestants/contestant.ts";
import { startSites } from "./contestants/start-sites.ts";
import { findDatabases } from "./find-databases.ts";
import { outcomesOf } from "./goals.ts";
import { issueKeys } from "./keys.ts";
import { startGenerator } from "./load/start-generator.ts";
import { measureLookups } from "./lookups/measure-lookups.ts";
import { notMeasured } from "./measure.ts";
import { measureAll } from "./measure-all.ts";
import { asJson } from "./report/json.ts";
import { asMarkdown } from "./report/markdown.ts";
import type { BenchResult } from "./report/result.ts";
import type { BenchSettings } from "./settings.ts";

/**
 * Measures the contestants and writes `bench/latest.json` and `.md` in the data folder.
 * @param say called with each step, every few seconds. If it throws, the run ends and everything it started is stopped.
 * @returns Markdown, and whether every contestant served all requests with 200.
 * @throws StartError if there are no databases; Error if something can't be started.
 */
export async function runBench(
  settings: BenchSettings,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ markdown: string; ok: boolean }> {
  const startedAt = new Date();
  const databases = await findDatabases(environment, settings.dataDir);
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "geolookup-bench-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  say("lookups without a network");
  const lookups = await measureLookups(databases, settings.lookupRounds);
  const wantsMany = [...settings.contestants].some((name) => name.includes("many"));
  const results = join(settings.dataDir, "bench");
  mkdirSync(results, { recursive: true });
  const testbed: Testbed = {
    ...{ folder, databases, issued: issueKeys(wantsMany ? settings.manyKeys : FEW_KEYS, folder) },
    environment: settings.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(results, "profiles")}` } : {},
  };
  const notes: string[] = [];
  const note = (line: string) => {
    notes.push(line);
    say(line);
  };
  const site = opened.use(await startSites(settings, testbed, say, note));
  const generator = opened.use(await startGenerator());

  const measured = site.contestants.map(notMeasured);
  const { overload, peakBytes } = await measureAll(measured, generator, settings, say);
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const outcomes = outcomesOf(measured, overload, lookups);
  const result: BenchResult = { startedAt, seconds, settings, notes, measured, peakBytes, lookups, outcomes, overload };
  const markdown = asMarkdown(result);
  writeFileSync(join(results, "latest.md"), markdown);
  writeFileSync(join(results, "latest.json"), asJson(result));
  say(`written to ${results}`);
  return { markdown, ok: measured.every(({ problems }) => problems.length === 0) };
}
