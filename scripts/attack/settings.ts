import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandLineError, readArguments } from "../command-line.ts";

/** The settings of `make attack`. */
export interface AttackSettings {
  seconds: number;
  /** Attacks by name; null: all. */
  only: readonly string[] | null;
  way: "standalone" | "cluster";
  isTls: boolean;
  isBehindHaproxy: boolean;
  /** A running deployment to attack instead of one that is started here. */
  given: { url: string; docsUrl: string; ca: string | null; key: string; adminToken: string | null } | null;
  /** The well-behaved client's requests per second. */
  perSecond: number;
  /** Results are written to `attack` in this folder. */
  dataDir: string;
}

const DEFAULT_SECONDS = 120;
const DEFAULT_PER_SECOND = 200;

export const HELP = `Usage: make attack [ARGS="[--seconds 120] [--only NAME,…] [--against cluster] [--tls] [--haproxy]"]
       make attack ARGS="--url URL --docs-url URL [--only NAME,…]"   with GOOD_KEY=… [ADMIN_TOKEN=…]

Attacks a deployment, one attack at a time, alongside a well-behaved client. Reports what that client got, its 99th
percentile relative to the same run without the attack, and the recovery time. Starts what it attacks, on invented data.
Prints a table, and also writes it to DATA_DIR/attack. Exits with status 1 if an expectation wasn't met.

  --seconds N        duration of each attack (${DEFAULT_SECONDS})
  --only NAME,…      run only these attacks; --list shows all
  --against WAY      standalone (default) or cluster
  --tls              use TLS on the public port
  --haproxy          put HAProxy in front, with the product's configuration
  --rate N           requests per second of the well-behaved client (${DEFAULT_PER_SECOND})
  --url URL          attack a running deployment of your own instead. Attacks that need access to its processes are
                     skipped
  --docs-url URL     its docs host
  --ca FILE          the authority of its certificate (PEM)
  --list             list the attacks
`;

/** @throws CommandLineError */
export function readAttackSettings(args: readonly string[], environment: NodeJS.ProcessEnv): AttackSettings | "list" {
  const options = {
    seconds: { type: "string", default: `${DEFAULT_SECONDS}` },
    only: { type: "string" },
    against: { type: "string", default: "standalone" },
    tls: { type: "boolean", default: false },
    haproxy: { type: "boolean", default: false },
    rate: { type: "string", default: `${DEFAULT_PER_SECOND}` },
    url: { type: "string" },
    "docs-url": { type: "string" },
    ca: { type: "string" },
    list: { type: "boolean", default: false },
  } as const;
  const { values } = readArguments(args, options, 0);
  if (values.list) return "list";
  const { against: way, url } = values;
  if (way !== "standalone" && way !== "cluster") throw new CommandLineError("--against must be standalone or cluster");
  return {
    seconds: positive("--seconds", values.seconds),
    perSecond: positive("--rate", values.rate),
    only: values.only?.split(",") ?? null,
    way,
    isTls: values.tls,
    isBehindHaproxy: values.haproxy,
    given: url === undefined ? null : readGiven({ ...values, url }, environment),
    dataDir: resolve(environment.DATA_DIR || "data"),
  };
}

function readGiven(
  values: { url: string; "docs-url"?: string | undefined; ca?: string | undefined },
  { GOOD_KEY, ADMIN_TOKEN }: NodeJS.ProcessEnv,
): AttackSettings["given"] {
  const docsUrl = values["docs-url"];
  for (const each of [values.url, docsUrl ?? ""])
    if (!URL.canParse(each)) throw new CommandLineError("--url and --docs-url must be absolute URLs");
  if (!GOOD_KEY) throw new CommandLineError("set GOOD_KEY to a key of the deployment, for the well-behaved client");
  return {
    url: new URL(values.url).origin,
    docsUrl: new URL(docsUrl ?? "").origin,
    ca: values.ca === undefined ? null : readFileSync(values.ca, "utf8"),
    key: GOOD_KEY,
    adminToken: ADMIN_TOKEN || null,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0) || value > 100_000)
    throw new CommandLineError(`${name} must be a number greater than 0, at most 100000`);
  return value;
}
