import type { Clock } from "./clock.ts";
import type { PlanLimits } from "./plans.ts";
import type { PlanFields } from "./record.ts";
import type { Month } from "./usage.ts";

export type KeyKind = "publishable" | "secret";

/** What a key may do. */
export interface Grant {
  keyId: string;
  kind: KeyKind;
  plan: string;
  fields: PlanFields;
  /** Requests included per calendar month (UTC). */
  monthlyRequests: number;
  /** The plan's other limits; absent if it has only a monthly quota. */
  limits?: PlanLimits;
  /** Allowlist entries as stored; empty means any origin. */
  origins: readonly string[];
  /** The key's display form: identifies the key, but doesn't work as one. */
  display: string;
  /** Set if the key may name a visitor in X-Forwarded-For. Secret keys only. */
  mayForward?: true;
  /** Absent if the key has a quota of its own: its keyId, and monthlyRequests. */
  quota?: Quota;
  /** Another quota that applies from a later month on. */
  nextQuota?: Quota & { from: Month };
  /** When it ends or has ended, in Unix milliseconds, and how. From then on, the key has no active record: see endOf. */
  ends?: { atMs: number; how: KeyEnd["how"] };
  /** The ID of the customer that the key belongs to. */
  customer?: string;
  /**
   * The key's counts, left here by the meter, so that the key's next request doesn't have to look them up by ID. Every grant has this
   * property from the start, undefined at first: V8 stores properties that are added later apart from the object, and with many keys in
   * use, each memory access counts.
   */
  counts?: object | undefined;
}

/** What requests count toward: the quota of a customer, or the shared one of a key and its successors. */
export interface Quota {
  /** The ID of a key, or the event ID of a customer (customerEventId). */
  id: string;
  /** Requests included per calendar month (UTC). */
  monthlyRequests: number;
}

/** Why and since when a key that was issued has no active record, although it wasn't revoked. */
export interface KeyEnd {
  how: "expired" | "disabled" | "rotated";
  /** RFC 3339, UTC. */
  at: string;
}

/**
 * Whether and since when a grant has ended, by the clock of the gateway that uses it. A key is disabled at once, whatever the clock says.
 */
export function endOf({ ends }: Grant, clock: Clock): KeyEnd | undefined {
  if (!ends || (ends.how !== "disabled" && clock() < ends.atMs)) return undefined;
  return { how: ends.how, at: new Date(ends.atMs).toISOString() };
}

/** A key as sent, of at most MAX_KEY_LENGTH characters, and the raw headers to check against its allowlist. */
export interface KeyCheck {
  key: string;
  origin: string | null;
  referer: string | null;
}

/** Auth's decision, in the contract's order of checks: signature, record, revocation, origin. */
export type Authorization =
  | { outcome: "granted"; grant: Grant }
  | { outcome: "malformed_key" | "bad_signature" }
  /** Without the key's ID if a service of version 0.1 says so. */
  | { outcome: "revoked_key"; keyId?: string | undefined }
  /** With `end` and `grant` if the key was issued and has ended. Caches keep such a grant like any other. */
  | { outcome: "unknown_key"; end?: KeyEnd; grant?: Grant }
  | { outcome: "origin_not_allowed"; grant: Grant; refusedOrigin: string | null };

/** Decides what a key may do. Rejects if auth is unavailable (the gateway responds with 500). */
export interface Authorizer {
  authorize(check: KeyCheck): Authorization | Promise<Authorization>;
}
