import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { createCallerNames } from "../limits/hourly/hourly-limit.ts";

/** Typos have no consequence. */
const FREE_REFUSALS = 5;
/** Refusals are forgotten after this time without another one. */
const FORGET_MS = 15 * 60_000;
/** About 2 MB. */
const MAX_CALLERS = 10_000;
const IPV6_PREFIX = 64;

/**
 * Remembers which networks send forms that the console refuses, mostly wrong admin tokens. An IPv4 address or an IPv6 /64
 * is stored only as an HMAC with a secret of this process, in memory.
 */
export interface Suspects {
  /** Whether the forms of this address wait behind those of others. */
  has(ip: string): boolean;
  noteRefused(ip: string): void;
  noteAccepted(ip: string): void;
}

export function createSuspects(): Suspects {
  const nameOf = createCallerNames(randomBytes(32), IPV6_PREFIX);
  const refusals = new LRUCache<string, number>({ max: MAX_CALLERS, ttl: FORGET_MS });
  return {
    has: (ip) => (refusals.get(nameOf(ip)) ?? 0) >= FREE_REFUSALS,
    noteRefused(ip) {
      const name = nameOf(ip);
      refusals.set(name, (refusals.get(name) ?? 0) + 1);
    },
    noteAccepted: (ip) => void refusals.delete(nameOf(ip)),
  };
}

/** Strangers can get these: malformed or too large form, wrong token or key, foreign form, method, type of body, too many wrong tokens. */
const REFUSAL_STATUSES = new Set([400, 401, 403, 405, 413, 415, 429]);
const SIGN_IN_PATH = "/console/sign-in";
/** For everyone with a secret key. */
const CUSTOMER_PATH = /^\/account\b/;

/** `failed` says nothing about the sender: a conflict between operators, a service that is unavailable, or a customer's own page. */
export type FormOutcome = "accepted" | "refused" | "failed";

/**
 * What the portal's response says about the sender of a form. Strangers must not be able to cause `accepted`, which
 * clears their network (suspects.ts).
 */
export function formOutcome(
  { statusCode = 0, headers }: Pick<IncomingMessage, "statusCode" | "headers">,
  url = "",
): FormOutcome {
  if (REFUSAL_STATUSES.has(statusCode) || headers.location?.startsWith(SIGN_IN_PATH)) return "refused";
  return statusCode < 400 && !CUSTOMER_PATH.test(url) ? "accepted" : "failed";
}
