import { resolve } from "node:path";
import type { Command } from "commander";
import { CommandLineError, valueOption } from "../../scripts/command-line.ts";

/** Every contestant, in the order of the table. */
const CONTESTANTS: readonly string[] = [
  ...["node-http", "echoip", "express-maxmind"],
  ...["standalone-keyless", "standalone-keyed", "edge", "cluster-keyless", "cluster-keyed"],
];

/** What `make bench-quick` compares: the goals that matter most. */
const QUICK_CONTESTANTS = CONTESTANTS.filter((name) => !["node-http", "echoip", "edge"].includes(name));

/** What to measure. Durations are for one load. */
export interface BenchSettings {
  contestants: ReadonlySet<string>;
  /** With many connections, and again with few. */
  warmUpMs: number;
  saturationRounds: number;
  saturationMs: number;
  halfLoadRounds: number;
  halfLoadMs: number;
  /** Whether our services write CPU profiles, which slows them down. */
  profile: boolean;
  /** Path of echoip's binary; null if there is none. */
  echoip: string | null;
  /** The folder with `geo/`. Profiles are written to `bench/profiles` in it. */
  dataDir: string;
}

// Short rounds: a stall of the machine, even of 10 ms, is the p99 of the round in which it happens.
const FULL = { warmUpMs: 2_000, saturationRounds: 5, saturationMs: 1_200, halfLoadRounds: 11, halfLoadMs: 500 };
const QUICK = { warmUpMs: 1_200, saturationRounds: 3, saturationMs: 700, halfLoadRounds: 1, halfLoadMs: 1_000 };

/** The options of `make bench`. */
export interface BenchOptions {
  quick?: boolean;
  only?: string;
  profile?: boolean;
}

/** Declares the options of `make bench`. */
export function declareBench(program: Command): Command {
  return program
    .description(
      `Measures the service next to other servers on this machine, and prints a table. Installs servers and downloads geo data if \
they are missing. ECHOIP=path measures that binary of echoip, too.`,
    )
    .option("--quick", "fewer contestants and rounds, as make bench-quick does")
    .addOption(valueOption("--only <contestants>", `only these, separated by commas, of ${CONTESTANTS.join(", ")}`))
    .option("--profile", "write CPU profiles of our services to DATA_DIR/bench/profiles, which makes them slower");
}

/** @param environment DATA_DIR and ECHOIP. @throws CommandLineError */
export function benchSettings(
  { quick, only, profile = false }: BenchOptions,
  environment: NodeJS.ProcessEnv,
): BenchSettings {
  const chosen = only?.split(",") ?? (quick ? QUICK_CONTESTANTS : CONTESTANTS);
  const unknown = chosen.filter((name) => !CONTESTANTS.includes(name));
  if (unknown.length > 0) throw new CommandLineError(`unknown contestant ${unknown.join(", ")}`);
  return {
    ...(quick ? QUICK : FULL),
    contestants: new Set(chosen),
    profile,
    echoip: environment.ECHOIP ? resolve(environment.ECHOIP) : null,
    dataDir: resolve(environment.DATA_DIR || "data"),
  };
}
