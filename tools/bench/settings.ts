import { resolve } from "node:path";
import type { Command } from "commander";
import { CommandLineError, valueOption } from "../../scripts/command-line.ts";

/** Every contestant, in the order of the table; a group for each line of the help. */
const GROUPS = [
  ["node-http", "nginx-geoip2", "echoip", "express-maxmind", "naive"],
  ["standalone-keyless", "standalone-keyed", "standalone-fields", "standalone-few-of-many", "standalone-many-keys"],
  ["edge", "edge-behind-nginx"],
  [
    ...["cluster-keyless", "cluster-keyed", "cluster-keyed-tls", "cluster-fields"],
    ...["cluster-few-of-many", "cluster-many-keys"],
  ],
];
const CONTESTANTS: readonly string[] = GROUPS.flat();

/** What `make bench-quick` compares: the goals that matter most. */
const QUICK_CONTESTANTS = [
  ...["express-maxmind", "naive", "standalone-keyless", "standalone-keyed", "cluster-keyless", "cluster-keyed"],
] as const;

/** What to measure. Durations are for one load. */
export interface BenchSettings {
  contestants: ReadonlySet<string>;
  manyKeys: number;
  /** With many connections, and again with few. */
  warmUpMs: number;
  saturationRounds: number;
  saturationMs: number;
  halfLoadRounds: number;
  halfLoadMs: number;
  /** 0 skips overload. */
  overloadRounds: number;
  /** Whether our services write CPU profiles, which slows them down. */
  profile: boolean;
  /** Path of echoip's binary; null if there is none. */
  echoip: string | null;
  /** The folder with `geo/`. Results are written to `bench/` in it. */
  dataDir: string;
}

const FULL = {
  ...{ manyKeys: 100_000, warmUpMs: 2_000, saturationRounds: 5, saturationMs: 1_200 },
  // Short rounds: a stall of the machine, even of 10 ms, is the p99 of the round in which it happens.
  ...{ halfLoadRounds: 11, halfLoadMs: 500, overloadRounds: 3 },
};
const QUICK = {
  ...{ manyKeys: 10_000, warmUpMs: 1_200, saturationRounds: 3, saturationMs: 700 },
  ...{ halfLoadRounds: 1, halfLoadMs: 1_000, overloadRounds: 0 },
};

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
      `Measures the service next to other servers on this machine. Prints a table, and also writes it to DATA_DIR/bench. Installs \
servers and downloads geo data if they are missing. ECHOIP=path measures that binary of echoip, too.`,
    )
    .option("--quick", "fewer contestants and rounds, as make bench-quick does")
    .addOption(valueOption("--only <contestants>", `only these, separated by commas, of ${CONTESTANTS.join(", ")}`))
    .option("--profile", "write CPU profiles of our services, which makes them slower");
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
