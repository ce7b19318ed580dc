import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";

/** Every contestant, in the order of the table. */
export const CONTESTANTS = [
  ...["node-http", "nginx-geoip2", "express-maxmind", "naive"],
  ...["standalone-keyless", "standalone-keyed", "standalone-fields", "standalone-many-keys"],
  ...["cluster-keyless", "cluster-keyed", "cluster-fields", "cluster-many-keys"],
] as const;

/** What `make bench-quick` compares: the goals that matter most. */
const QUICK_CONTESTANTS = [
  ...["express-maxmind", "naive", "standalone-keyless", "standalone-keyed", "cluster-keyless", "cluster-keyed"],
] as const;

/** How much is measured. Durations are of one load. */
export interface BenchSettings {
  contestants: ReadonlySet<string>;
  manyKeys: number;
  warmUpMs: number;
  saturationRounds: number;
  saturationMs: number;
  halfLoadRounds: number;
  halfLoadMs: number;
  /** Rounds of look-ups without a network, of a second each. */
  lookupRounds: number;
  /** 0: overload is left out. */
  overloadMs: number;
  /** Whether services of ours write profiles of their whole life; that makes them slower. */
  profile: boolean;
  /** Whether memory is measured instead of speed. */
  memory: boolean;
  /** The folder with `geo/`; results are written below it. */
  dataDir: string;
}

const FULL = {
  ...{ manyKeys: 100_000, warmUpMs: 3_000, saturationRounds: 5, saturationMs: 1_200 },
  ...{ halfLoadRounds: 3, halfLoadMs: 1_500, lookupRounds: 5, overloadMs: 5_000 },
};
const QUICK = {
  ...{ manyKeys: 10_000, warmUpMs: 2_000, saturationRounds: 3, saturationMs: 700 },
  ...{ halfLoadRounds: 1, halfLoadMs: 1_000, lookupRounds: 1, overloadMs: 0 },
};

const USAGE = `usage: node scripts/bench/main.ts [--quick] [--only CONTESTANT,…] [--profile], or --memory; contestants: ${CONTESTANTS.join(", ")}`;

/**
 * Reads the command line and DATA_DIR.
 * @throws StartError with how it is used.
 */
export function readBenchSettings(args: readonly string[], environment: NodeJS.ProcessEnv): BenchSettings {
  const { quick, only, profile, memory } = parse(args);
  const chosen = only ?? (quick ? QUICK_CONTESTANTS : CONTESTANTS);
  const unknown = chosen.filter((name) => !CONTESTANTS.some((known) => known === name));
  if (unknown.length > 0) throw new StartError(`there is no contestant ${unknown.join(", ")}; ${USAGE}`);
  return {
    ...(quick ? QUICK : FULL),
    contestants: new Set(chosen),
    profile,
    memory,
    dataDir: resolve(environment.DATA_DIR || "data"),
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      profile: { type: "boolean", default: false },
      memory: { type: "boolean", default: false },
    } as const;
    const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
    return { ...values, only: values.only?.split(",") };
  } catch (error) {
    throw new StartError(`${(error as Error).message}; ${USAGE}`);
  }
}
