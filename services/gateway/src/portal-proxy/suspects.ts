import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createCallerNames } from "../limits/hourly/caller.ts";

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
