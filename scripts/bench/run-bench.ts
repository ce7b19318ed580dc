import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FEW_KEYS, type Ground } from "./contestants/contestant.ts";
import { startSites } from "./contestants/start-sites.ts";
import { findDatabases } from "./find-databases.ts";
import { outcomesOf } from "./goals.ts";
import { issueKeys } from "./keys.ts";
import { startGenerator } from "./load/start-generator.ts";
import { measureLookups } from "./lookups/measure-lookups.ts";
import { type Measured, measureHalfLoad, measureSaturation, notMeasured, warmUp } from "./measure.ts";
import { measureOverload, type Overload } from "./overload.ts";
import { residentBytes } from "./processes.ts";
import { asJson } from "./report/json.ts";
import { asMarkdown } from "./report/markdown.ts";
import type { BenchResult } from "./report/result.ts";
import type { BenchSettings } from "./settings.ts";

/** Those of whom overload is asked. */
const OVERLOADED = ["standalone-keyless", "standalone-keyed", "cluster-keyed"];

/**
 * Measures the contestants beside one another and writes `bench/latest.json` and `.md` below the data folder.
 * @param say is told what is being done.
 * @returns Markdown, and whether every contestant answered all requests with 200.
 * @throws StartError when there are no databases or something needed cannot be started.
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
  say("look-ups without a network");
  const lookups = await measureLookups(databases, settings.lookupRounds);
  say("starting the contestants");
  const wantsMany = [...settings.contestants].some((name) => name.endsWith("many-keys"));
  const ground: Ground = { folder, databases, issued: issueKeys(wantsMany ? settings.manyKeys : FEW_KEYS, folder) };
  const notes: string[] = [];
  const note = (line: string) => {
    notes.push(line);
    say(line);
  };
  const site = opened.adopt(await startSites(settings, ground, note), (site) => site.close());
  const generator = opened.adopt(await startGenerator(), (generator) => generator.close());

  const measured = site.contestants.map(notMeasured);
  for (const one of measured) {
    say(`warming up ${one.contestant.name}`);
    await warmUp(one, generator, settings);
  }
  for (let round = 0; round < settings.saturationRounds; round += 1) {
    say(`saturation, round ${round + 1} of ${settings.saturationRounds}`);
    for (const one of inTurn(measured, round)) await measureSaturation(one, generator, settings.saturationMs);
  }
  for (let round = 0; round < settings.halfLoadRounds; round += 1) {
    say(`half load, round ${round + 1} of ${settings.halfLoadRounds}`);
    for (const one of inTurn(measured, round)) await measureHalfLoad(one, generator, settings.halfLoadMs);
  }
  const peakBytes = new Map(measured.map(({ contestant: { name, pids } }) => [name, residentBytes(pids).peak]));
  const overload: Overload[] = [];
  for (const one of measured) {
    if (settings.overloadMs === 0 || !OVERLOADED.includes(one.contestant.name)) continue;
    say(`overload of ${one.contestant.name}`);
    overload.push(await measureOverload(one, generator, settings.overloadMs));
  }

  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const outcomes = outcomesOf(measured, lookups);
  const result: BenchResult = { startedAt, seconds, settings, notes, measured, peakBytes, lookups, outcomes, overload };
  const markdown = asMarkdown(result);
  const results = join(settings.dataDir, "bench");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "latest.md"), markdown);
  writeFileSync(join(results, "latest.json"), asJson(result));
  say(`written to ${results}`);
  return { markdown, ok: measured.every(({ problems }) => problems.length === 0) };
}

/** A B C, then C B A: nobody is always measured right after the same one. */
function inTurn(measured: readonly Measured[], round: number): readonly Measured[] {
  return round % 2 === 0 ? measured : measured.toReversed();
}
