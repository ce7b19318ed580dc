import { join } from "node:path";
import { FEW_KEYS, type Testbed } from "./contestants/contestant.ts";
import { startSites } from "./contestants/start-sites.ts";
import { outcomesOf } from "./goals.ts";
import { issueKeys } from "./keys.ts";
import { startGenerator } from "./load/start-generator.ts";
import { notMeasured } from "./measure.ts";
import { measureAll } from "./measure-all.ts";
import { asJson } from "./report/json.ts";
import { asMarkdown } from "./report/markdown.ts";
import type { BenchResult } from "./report/result.ts";
import type { BenchSettings } from "./settings.ts";

interface BenchRun {
  settings: BenchSettings;
  /** Paths of the geo databases: IPv4 places, IPv6 places, networks. */
  databases: readonly string[];
  /** An empty folder, removed after the run. */
  folder: string;
  /** Takes a line about the next step. If it throws, the run ends and everything it started is stopped. */
  say(line: string): void;
}

/** What is printed, and written to `bench/` in the data folder. */
export interface BenchReport {
  markdown: string;
  json: string;
  /** Whether the figures are valid. */
  ok: boolean;
}

/** Measures the contestants. The figures are valid if every contestant served all requests with 200. */
export async function runBench({ settings, databases, folder, say }: BenchRun): Promise<BenchReport> {
  const startedAt = new Date();
  await using opened = new AsyncDisposableStack();
  const wantsMany = [...settings.contestants].some((name) => name.includes("many"));
  const profiles = join(settings.dataDir, "bench", "profiles");
  const testbed: Testbed = {
    ...{ folder, databases, issued: issueKeys(wantsMany ? settings.manyKeys : FEW_KEYS, folder) },
    environment: settings.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` } : {},
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
  const outcomes = outcomesOf(measured, overload);
  const result: BenchResult = { startedAt, seconds, settings, notes, measured, peakBytes, outcomes, overload };
  const ok = measured.every(({ problems }) => problems.length === 0);
  return { markdown: asMarkdown(result), json: asJson(result), ok };
}
