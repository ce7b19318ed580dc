import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandLineError, readArguments } from "../command-line.ts";

/** What `make attack` is to do. */
export interface AttackSettings {
  seconds: number;
  /** Attacks by name; null: all. */
  only: readonly string[] | null;
  way: "standalone" | "cluster";
  isTls: boolean;
  isBehindHaproxy: boolean;
  /** A running deployment to attack instead of one that is started here. */
  given: { url: string; docsUrl: string; ca: string | null; key: string; adminToken: string | null } | null;
  /** Requests a second of the good client. */
  perSecond: number;
  /** Results are written below it. */
  dataDir: string;
}

const DEFAULT_SECONDS = 120;
const DEFAULT_PER_SECOND = 200;

export const HELP = `Usage: make attack [ARGS="[--seconds 120] [--only NAME,…] [--against cluster] [--tls] [--haproxy]"]
       make attack ARGS="--url URL --docs-url URL [--only NAME,…]"   with GOOD_KEY=… [ADMIN_TOKEN=…]

Attacks a deployment, one attack after the other, with a good client beside each: what it got, how its 99th percentile
compares with that of the same client without the attack, and how soon all was well again. Starts what it attacks, on
invented data. Prints a table; the results are also in DATA_DIR/attack. Ends with 1 when something didn't hold.

  --seconds N        how long each attack lasts (${DEFAULT_SECONDS})
  --only NAME,…      these attacks alone; --list names all
  --against WAY      standalone (default) or cluster
  --tls              callers speak TLS
  --haproxy          HAProxy stands before it, with the product's configuration
  --rate N           requests a second of the good client (${DEFAULT_PER_SECOND})
  --url URL          attacks a deployment that runs already: one of your own, never another's. Attacks that need its
                     inside are left out
  --docs-url URL     its docs host
  --ca FILE          authority of its certificate, PEM
  --list             names the attacks
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
  if (way !== "standalone" && way !== "cluster") throw new CommandLineError("--against is standalone or cluster");
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
    if (!URL.canParse(each)) throw new CommandLineError("--url and --docs-url are absolute URLs");
  if (!GOOD_KEY) throw new CommandLineError("set GOOD_KEY to a key of the deployment, for the good client");
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
  if (!(value > 0) || value > 100_000) throw new CommandLineError(`${name} is a number above 0`);
  return value;
}
