import { CommandLineError, readArguments } from "../command-line.ts";
import type { Load } from "./load.ts";

/** The settings on the command line. */
export type CapacitySettings = { kind: "check" } | { kind: "plan"; load: Load; isJson: boolean };

export const HELP = `Usage: make capacity ARGS="--rps 5000000 --keys 1000000 --regions 3"
       make capacity ARGS=--check

Estimates what a load takes: processes, cores, memory, messages, connections, disk, how exact the limits are, and which part of
the design reaches its limit first. docs/capacity.md explains the model.

  --rps N               requests per second, all regions together
  --keys N              keys used per day (10,000)
  --keyless SHARE       requests without a key, such as 0.1 or 10% (10%)
  --unknown SHARE       requests with keys that are refused, each one different (0%)
  --connections N       open client connections (one for each request per second)
  --changes N           keys issued, changed or revoked per second (1)
  --caller-requests N   requests per hour of a caller without a key (12)
  --gateways-per-key N  gateways that see the same key, if the balancer hashes keys (all)
  --regions N           regions with an equal share of the load each (1)
  --region-delay S      seconds that an event takes to another region (0.2)
  --utilization SHARE   share of a core that a process may use (60%)
  --json                print JSON
  --check               run small clusters on this machine and compare them with the model, in under 3 minutes
`;

/** A larger number is a typo. */
const MAX_RATE = 1e11;
const MAX_REGIONS = 100;

const TEXT = { type: "string" } as const;
const OPTIONS = {
  ...{ rps: TEXT, keys: TEXT, keyless: TEXT, unknown: TEXT, connections: TEXT, changes: TEXT, "caller-requests": TEXT },
  ...{ "gateways-per-key": TEXT, regions: TEXT, "region-delay": TEXT, utilization: TEXT },
  json: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
} as const;

/** Reads the command line. @throws CommandLineError */
export function readCapacitySettings(args: readonly string[]): CapacitySettings {
  const { values } = readArguments(args, OPTIONS, 0);
  if (values.check) {
    if (args.length > 1) throw new CommandLineError("--check takes no other options");
    return { kind: "check" };
  }
  if (values.rps === undefined) throw new CommandLineError("--rps is missing, for example --rps 100000");
  const requestsPerSecond = number("--rps", values.rps, 1, MAX_RATE);
  const load: Load = {
    requestsPerSecond,
    keys: whole("--keys", values.keys ?? "10000", 1, MAX_RATE),
    keylessShare: share("--keyless", values.keyless ?? "10%", 0),
    unknownShare: share("--unknown", values.unknown ?? "0", 0),
    connections: whole("--connections", values.connections ?? `${Math.ceil(requestsPerSecond)}`, 0, MAX_RATE),
    changesPerSecond: number("--changes", values.changes ?? "1", 0, MAX_RATE),
    requestsPerCaller: number("--caller-requests", values["caller-requests"] ?? "12", 0.01, 1e6),
    gatewaysPerKey: gatewaysPerKey(values["gateways-per-key"] ?? "all"),
    regions: whole("--regions", values.regions ?? "1", 1, MAX_REGIONS),
    regionDelaySeconds: number("--region-delay", values["region-delay"] ?? "0.2", 0, 3_600),
    utilization: share("--utilization", values.utilization ?? "60%", 0.05),
  };
  if (load.keylessShare + load.unknownShare > 1)
    throw new CommandLineError("--keyless and --unknown together are more than all requests");
  return { kind: "plan", load, isJson: values.json };
}

function gatewaysPerKey(text: string): number {
  return text === "all" ? Number.POSITIVE_INFINITY : whole("--gateways-per-key", text, 1, MAX_RATE);
}

/** A decimal number, with `,` or `_` between thousands, or in the form 5e6. */
function number(name: string, text: string, minimum: number, maximum: number): number {
  const value = /^\d[\d,_]*(\.\d+)?(e\d{1,2})?$/i.test(text) ? Number(text.replace(/[,_]/g, "")) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  const range = `a number from ${minimum.toLocaleString("en-US")} to ${maximum.toLocaleString("en-US")}`;
  throw new CommandLineError(`${name} must be ${range}, not ${JSON.stringify(text.slice(0, 40))}`);
}

function whole(name: string, text: string, minimum: number, maximum: number): number {
  const value = number(name, text, minimum, maximum);
  if (!Number.isInteger(value))
    throw new CommandLineError(`${name} must be a whole number, not ${JSON.stringify(text)}`);
  return value;
}

/** A share of a whole: 0.1 or 10%. */
function share(name: string, text: string, minimum: number): number {
  const [, digits = "", percent] = /^(\d{1,9}(?:\.\d{1,9})?)(%?)$/.exec(text) ?? [];
  const value = digits === "" ? Number.NaN : Number(digits) / (percent === "%" ? 100 : 1);
  if (value >= minimum && value <= 1) return value;
  const range =
    minimum === 0 ? "from 0 to 1, or from 0% to 100%" : `from ${minimum} to 1, or from ${minimum * 100}% to 100%`;
  throw new CommandLineError(`${name} must be a share ${range}, not ${JSON.stringify(text.slice(0, 40))}`);
}
