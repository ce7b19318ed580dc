import type { BenchSettings } from "./settings.ts";

/** What each mode of the bench gets. */
export interface BenchRun {
  settings: BenchSettings;
  /** Paths of the geo databases: IPv4 places, IPv6 places, networks. */
  databases: readonly string[];
  /** An empty folder, removed after the run. */
  folder: string;
  /** Takes a line about the next step. If it throws, the run ends and everything it started is stopped. */
  say(line: string): void;
}

/** What a mode of the bench found out. It is printed, and written to `bench/` in the data folder. */
export interface BenchReport {
  markdown: string;
  json?: string;
  /** Whether the figures are valid. */
  ok: boolean;
}

/** @throws Error if something can't be started. */
export type BenchMode = (run: BenchRun) => Promise<BenchReport>;
