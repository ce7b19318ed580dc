import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { httpUrl, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { CommandLineError, readArguments } from "../command-line.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";
import type { CommandContext } from "../run-command.ts";
import { type Answer, type Ask, askAt } from "./ask.ts";
import { issueKeys, smokeKeys } from "./keys.ts";
import { NotAsked } from "./not-asked.ts";
import type { Point, Smoke } from "./point.ts";
import { EDGE_POINTS } from "./points-edge.ts";
import { KEY_POINTS } from "./points-keys.ts";
import { RECORD_POINTS } from "./points-record.ts";
import { trustOf } from "./trust.ts";

const ANY_CALLER = "203.0.113.78";
const SECRETS = ["ADMIN_TOKEN", "SMOKE_KEY", "SMOKE_FREE_KEY"];

export const HELP = `Usage: make smoke [ARGS="[URL] [--paid-plan NAME] [--free-plan NAME] [--small-plan NAME] [--spend-hour]
                        [--ca FILE | --insecure]"]

Asks a running deployment each point of the contract, and says pass, FAIL or skip for each, with the
section. Ends with status 1 when one failed.

URL is its public address; default: PUBLIC_URL, else http://127.0.0.1 and PORT. Five keys are issued
for it where the service can be administered (AUTH_URL and ADMIN_TOKEN, or what \`make start\` left),
and revoked at the end; what stays is their records, labeled "smoke test". Otherwise SMOKE_KEY (of a
plan with paid fields) and SMOKE_FREE_KEY are used if they are set. It costs one of this machine's 60
requests without a key; --spend-hour uses up all of them. --small-plan names a plan with at most 100
requests a month, whose end is then tried.

--ca FILE trusts the authority in FILE (PEM) besides the public ones. --insecure does not check the
certificate, for a deployment asked by a name that it has no certificate for; SMOKE_INSECURE=on is the
same for PUBLIC_URL, unless URL or --ca is given.
`;

/** Runs the points against a deployment. @returns 1 when one failed. @throws StartError, CommandLineError */
export async function runSmoke({ args, environment, print }: CommandContext): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      "paid-plan": { type: "string", default: "paid" },
      "free-plan": { type: "string", default: "free" },
      "small-plan": { type: "string" },
      "spend-hour": { type: "boolean" },
      ca: { type: "string" },
      insecure: { type: "boolean" },
    },
    1,
  );
  const env = readEnvironment(
    z.object({
      PUBLIC_URL: httpUrl().optional(),
      PORT: z.string().default("8080"),
      SMOKE_KEY: z.string().optional(),
      SMOKE_FREE_KEY: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      SMOKE_INSECURE: z.enum(["on", "off"], "must be on or off").default("off"),
    }),
    environment,
    SECRETS,
  );
  const url = positionals[0] ?? env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}`;
  if (!httpUrl().safeParse(url).success)
    throw new CommandLineError(`${JSON.stringify(url)} isn't an http:// or https:// address`);
  const isOwn = positionals[0] === undefined && values.ca === undefined;
  const insecure = values.insecure ?? (isOwn && env.SMOKE_INSECURE === "on");
  const trust = trustOf(values.ca, insecure);
  const ask = askAt(url, trust);
  if (insecure) print(`certificates are not checked: who answers may be somebody else than ${url}\n`);
  // Costs nothing, and says before keys are issued that nobody is there.
  await ask({ method: "OPTIONS" });

  const admin = administrated(environment);
  const plans = { paid: values["paid-plan"], free: values["free-plan"], small: values["small-plan"] ?? null };
  const { issued, revokeAll } = admin
    ? await issueKeys(admin, plans)
    : { issued: new Map(), revokeAll: async () => {} };
  try {
    const keys = smokeKeys(issued, { paid: env.SMOKE_KEY, free: env.SMOKE_FREE_KEY }, env.SIGNING_KEYS_FILE);
    const smoke: Smoke = {
      ask,
      askAt: (other) => askAt(other, trust),
      keys,
      believed: await isBelieved(ask, keys),
      spendHour: values["spend-hour"] === true,
      keyless: once(() => ask()),
      clock: systemClock,
    };
    const outcomes = { pass: 0, FAIL: 0, skip: 0 };
    for (const point of [...RECORD_POINTS, ...KEY_POINTS, ...EDGE_POINTS]) {
      const { outcome, why } = await outcomeOf(point, smoke);
      outcomes[outcome] += 1;
      print(`${outcome}  ${point.section.padEnd(12)}  ${point.says}${why === "" ? "" : `: ${why}`}\n`);
    }
    print(`${url}: ${outcomes.pass} passed, ${outcomes.FAIL} failed, ${outcomes.skip} not asked\n`);
    return outcomes.FAIL === 0 ? 0 : 1;
  } finally {
    await revokeAll();
  }
}

async function outcomeOf(point: Point, smoke: Smoke): Promise<{ outcome: "pass" | "FAIL" | "skip"; why: string }> {
  try {
    await point.check(smoke);
    return { outcome: "pass", why: "" };
  } catch (error) {
    return { outcome: error instanceof NotAsked ? "skip" : "FAIL", why: (error as Error).message };
  }
}

/** Where keys can be issued; null when that is not said. @throws StartError when it is said in part. */
function administrated(environment: NodeJS.ProcessEnv): ServiceAddress | null {
  try {
    return findService("auth", environment);
  } catch (error) {
    const isSaid = environment.AUTH_URL || environment.USAGE_URL;
    if (error instanceof StartError && !isSaid) return null;
    throw error;
  }
}

async function isBelieved(ask: Ask, keys: Smoke["keys"]): Promise<boolean> {
  try {
    const path = `/v1/geo?key=${encodeURIComponent(keys.paid())}&fields=ip`;
    const { json } = await ask({ path, headers: { "X-Forwarded-For": ANY_CALLER } });
    return (json as { ip?: string } | undefined)?.ip === ANY_CALLER;
  } catch (error) {
    if (error instanceof NotAsked) return false;
    throw error;
  }
}

function once(work: () => Promise<Answer>): () => Promise<Answer> {
  let result: Promise<Answer> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
