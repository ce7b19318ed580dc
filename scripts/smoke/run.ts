import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { httpUrl, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import type { ServiceRecord } from "@geolookup/shared/runtime/files/service-record.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { type CommandContext, CommandLineError, printResult } from "../command-line.ts";
import { deploymentOf, NOTHING_FOUND } from "../deployment.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";
import { findOneService, findServiceAt } from "../running-services.ts";
import { CHECKS, type Check, type Smoke } from "./checks.ts";
import { expectResponse } from "./expect-response.ts";
import { type GivenKeys, issueKeys, Skipped, smokeKeys } from "./keys.ts";
import { POINTS, type Point } from "./points.ts";
import { createSend, type Received, type Send, trustOf } from "./send.ts";

const ANY_CALLER = "203.0.113.78";
const RETRY_AFTER_MS = 100;
const SECRETS = ["ADMIN_TOKEN"];

const localUrl = (port: string) => `http://127.0.0.1:${port}`;

/** What `smoke` was asked for. */
export interface SmokeOptions {
  paidPlan?: string;
  freePlan?: string;
  smallPlan?: string;
  keys?: string;
  spendHour?: boolean;
  ca?: string;
  insecure?: boolean;
  json?: boolean;
}

/** Tests a deployment against all points. @returns 1 if one failed. @throws StartError, CommandLineError */
export async function runSmoke(
  context: CommandContext,
  named: string | undefined,
  options: SmokeOptions,
): Promise<number> {
  const { environment } = context;
  const print = options.json ? () => undefined : context.print;
  const env = readEnvironment(
    z.object({
      API_URL: httpUrl().optional(),
      PORT: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
    }),
    environment,
    SECRETS,
  );
  const addressed = named ?? env.API_URL ?? (env.PORT && localUrl(env.PORT));
  const record = addressed ? findServiceAt(addressed, environment) : findOneService(environment);
  const url = addressed ?? record?.url;
  if (url === undefined) throw new StartError(`geolookup is not running here. ${NOTHING_FOUND}, or name its URL`);
  if (!httpUrl().safeParse(url).success)
    throw new CommandLineError(`${JSON.stringify(url)} isn't an http:// or https:// address`);
  const deployment = deploymentOf(environment, record);
  // Inside a cluster, the gateway has another name than in its certificate.
  const isInside = named === undefined && (deployment === "compose" || deployment === "kubernetes");
  const insecure = options.insecure ?? (isInside && options.ca === undefined && url.startsWith("https:"));
  const trust = trustOf(options.ca, insecure);
  const reached = named === undefined ? deployment : (record?.mode ?? "unknown");
  const send = createSend(url, trust, reached);
  if (insecure) context.printError(`certificates aren't checked: another server could pretend to be ${url}\n`);
  const given = readKeys(options.keys);
  // A preflight isn't counted. It fails before keys are issued if nothing responds.
  await send({ method: "OPTIONS" });

  const admin = findAdministration(record, environment);
  const plans = {
    paid: options.paidPlan ?? "paid",
    free: options.freePlan ?? "free",
    small: options.smallPlan ?? null,
  };
  const { issued, revokeAll } = admin
    ? await issueKeys(admin, plans)
    : { issued: new Map(), revokeAll: async () => {} };
  try {
    const keys = smokeKeys(issued, given, env.SIGNING_KEYS_FILE);
    const smoke: Smoke = {
      send,
      sendTo: (other) => createSend(other, trust, reached),
      keys,
      isTrusted: await isTrusted(send, keys),
      spendHour: options.spendHour === true,
      keyless: once(() => send()),
      clock: systemClock,
    };
    const outcomes = { pass: 0, FAIL: 0, skip: 0 };
    const checks: { section: string; says: string; outcome: keyof typeof outcomes; why: string }[] = [];
    for (const check of [...POINTS.map(asCheck), ...CHECKS]) {
      const { outcome, why } = await outcomeOf(check, smoke);
      outcomes[outcome] += 1;
      checks.push({ section: check.section, says: check.says, outcome, why });
      print(`${outcome}  ${check.section.padEnd(12)}  ${check.says}${why === "" ? "" : `: ${why}`}\n`);
    }
    const text = `${url}: ${outcomes.pass} passed, ${outcomes.FAIL} failed, ${outcomes.skip} skipped\n`;
    printResult(context, { json: { url, ...outcomes, checks }, text }, options.json);
    return outcomes.FAIL === 0 ? 0 : 1;
  } finally {
    await revokeAll();
  }
}

/** The keys in a file: of a plan with paid fields, and of one with free fields. @throws StartError */
function readKeys(file: string | undefined): GivenKeys {
  if (file === undefined) return {};
  try {
    const [paid, free] = readFileSync(file, "utf8").trim().split(/\s+/);
    return { ...(paid ? { paid } : {}), ...(free ? { free } : {}) };
  } catch (error) {
    throw new StartError(`can't read the keys in ${file}: ${(error as Error).message}`);
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
