import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { httpUrl, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import type { ServiceRecord } from "@geolookup/shared/runtime/files/service-record.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { CommandLineError, readArguments } from "../command-line.ts";
import { deploymentOf, NOTHING_FOUND } from "../deployment.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";
import type { CommandContext } from "../run-command.ts";
import { findOneService, findServiceAt } from "../running-services.ts";
import { CHECKS, type Check, type Smoke } from "./checks.ts";
import { expectResponse } from "./expect-response.ts";
import { issueKeys, smokeKeys } from "./keys.ts";
import { POINTS, type Point } from "./points.ts";
import { createSend, type Received, type Send } from "./send.ts";
import { Skipped } from "./skipped.ts";
import { trustOf } from "./trust.ts";

const ANY_CALLER = "203.0.113.78";
const RETRY_AFTER_MS = 100;
const SECRETS = ["ADMIN_TOKEN", "SMOKE_KEY", "SMOKE_FREE_KEY"];

export const HELP = `Usage: make smoke [ARGS="[URL] [--paid-plan NAME] [--free-plan NAME] [--small-plan NAME] [--spend-hour]
                        [--ca FILE | --insecure]"]

Tests a running deployment against each point of the contract, and prints pass, FAIL or skip for each,
with the section. Exits with status 1 if one failed.

URL is its public address; default: PUBLIC_URL, or http://127.0.0.1 and PORT, or the service that runs
on this machine. If the service can be administered (with AUTH_URL and ADMIN_TOKEN, if it runs at URL on
this machine, or with its DATA_DIR), five keys are issued and revoked at the end; their records stay,
labeled "smoke test". Otherwise SMOKE_KEY (of a plan with paid fields) and SMOKE_FREE_KEY are used if
they are set. Uses one of this machine's 60 keyless requests.

  --paid-plan NAME   plan with paid fields, for the issued keys (paid)
  --free-plan NAME   plan with free fields (free)
  --small-plan NAME  also use up the quota of a key of this plan, with at most 100 requests a month
  --spend-hour       use up all 60 keyless requests for this hour
  --ca FILE          trust the authority in FILE (PEM) in addition to the public ones
  --insecure         don't check the certificate; for PUBLIC_URL, SMOKE_INSECURE=on does the same,
                     unless URL or --ca is given
`;

const localUrl = (port: string) => `http://127.0.0.1:${port}`;

/** Tests a deployment against all points. @returns 1 if one failed. @throws StartError, CommandLineError */
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
      PORT: z.string().optional(),
      SMOKE_KEY: z.string().optional(),
      SMOKE_FREE_KEY: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      SMOKE_INSECURE: z.enum(["on", "off"], "must be on or off").default("off"),
    }),
    environment,
    SECRETS,
  );
  const addressed = positionals[0] ?? env.PUBLIC_URL ?? (env.PORT && localUrl(env.PORT));
  const record = addressed ? findServiceAt(addressed, environment) : findOneService(environment);
  const url = addressed ?? record?.url;
  if (url === undefined) throw new StartError(`geolookup is not running here. ${NOTHING_FOUND}, or name its URL`);
  if (!httpUrl().safeParse(url).success)
    throw new CommandLineError(`${JSON.stringify(url)} isn't an http:// or https:// address`);
  const isOwn = positionals[0] === undefined && values.ca === undefined;
  const insecure = values.insecure ?? (isOwn && env.SMOKE_INSECURE === "on");
  const trust = trustOf(values.ca, insecure);
  const deployment = deploymentOf(environment, record);
  const send = createSend(url, trust, deployment);
  if (insecure) print(`certificates aren't checked: another server could pretend to be ${url}\n`);
  // A preflight isn't counted. It fails before keys are issued if nothing responds.
  await send({ method: "OPTIONS" });

  const admin = findAdministration(record, environment);
  const plans = { paid: values["paid-plan"], free: values["free-plan"], small: values["small-plan"] ?? null };
  const { issued, revokeAll } = admin
    ? await issueKeys(admin, plans)
    : { issued: new Map(), revokeAll: async () => {} };
  try {
    const keys = smokeKeys(issued, { paid: env.SMOKE_KEY, free: env.SMOKE_FREE_KEY }, env.SIGNING_KEYS_FILE);
    const smoke: Smoke = {
      send,
      sendTo: (other) => createSend(other, trust, deployment),
      keys,
      isTrusted: await isTrusted(send, keys),
      spendHour: values["spend-hour"] === true,
      keyless: once(() => send()),
      clock: systemClock,
    };
    const outcomes = { pass: 0, FAIL: 0, skip: 0 };
    for (const check of [...POINTS.map(asCheck), ...CHECKS]) {
      const { outcome, why } = await outcomeOf(check, smoke);
      outcomes[outcome] += 1;
      print(`${outcome}  ${check.section.padEnd(12)}  ${check.says}${why === "" ? "" : `: ${why}`}\n`);
    }
    print(`${url}: ${outcomes.pass} passed, ${outcomes.FAIL} failed, ${outcomes.skip} skipped\n`);
    return outcomes.FAIL === 0 ? 0 : 1;
  } finally {
    await revokeAll();
  }
}

function asCheck({ section, says, request, expected, withinMs = 0 }: Point): Check {
  return {
    section,
    says,
    async check({ send, keys, clock }) {
      const startedMs = clock();
      let received = await send(request(keys));
      while (received.status === 200 && clock() < startedMs + withinMs) {
        await delay(RETRY_AFTER_MS);
        received = await send(request(keys));
      }
      expectResponse(received, expected, keys);
    },
  };
}

async function outcomeOf(check: Check, smoke: Smoke): Promise<{ outcome: "pass" | "FAIL" | "skip"; why: string }> {
  try {
    await check.check(smoke);
    return { outcome: "pass", why: "" };
  } catch (error) {
    return { outcome: error instanceof Skipped ? "skip" : "FAIL", why: (error as Error).message };
  }
}

/**
 * Where to issue keys; null if unknown. A service that is neither at the address nor named by the environment is another one.
 * @throws StartError if the settings are incomplete.
 */
function findAdministration(record: ServiceRecord | null, environment: NodeJS.ProcessEnv): ServiceAddress | null {
  const isConfigured = environment.AUTH_URL || environment.USAGE_URL;
  if (record === null && !isConfigured && !environment.DATA_DIR) return null;
  try {
    return findService("auth", record ? { ...environment, DATA_DIR: record.dataDir } : environment);
  } catch (error) {
    if (error instanceof StartError && !isConfigured) return null;
    throw error;
  }
}

async function isTrusted(send: Send, keys: Smoke["keys"]): Promise<boolean> {
  try {
    const path = `/v1/geo?key=${encodeURIComponent(keys.paid())}&fields=ip`;
    const { json } = await send({ path, headers: { "X-Forwarded-For": ANY_CALLER } });
    return (json as { ip?: string } | undefined)?.ip === ANY_CALLER;
  } catch (error) {
    if (error instanceof Skipped) return false;
    throw error;
  }
}

function once(work: () => Promise<Received>): () => Promise<Received> {
  let result: Promise<Received> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
