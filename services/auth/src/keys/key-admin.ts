import { randomUUID } from "node:crypto";
import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import {
  type KeyEvent,
  type KeyLog,
  MAX_LIVE_AGE_MS,
  PLANS_ID,
  VersionConflict,
} from "@geolookup/shared/domain/key-event.ts";
import { displayKey, hasKeyShape } from "@geolookup/shared/domain/key-shape.ts";
import type { PlanLimits, Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { sha256Of } from "../authorizer.ts";
import { mintKey, type RandomBytes, randomBase62 } from "../signing/signature.ts";
import type { SigningRing } from "../signing/signing-ring.ts";
import type { IssuedKey } from "./issued-key.ts";
import { decide, type KeyCommand, NO_KEY } from "./key.ts";
import { type KeyFilter, type KeyOrder, type KeyPage, keysFrom, pageOf, sortedPageOf } from "./key-listing.ts";
import type { KeyRegistry } from "./key-registry.ts";

export interface IssueRequest {
  kind: KeyKind;
  plan: string;
  label: string;
  origins: readonly string[];
  /** Whether the key may name a visitor in X-Forwarded-For. Refused for publishable keys. */
  mayForward?: boolean;
}

export interface ListRequest extends KeyFilter {
  /** Default: the order of issue. */
  order?: "issued" | KeyOrder;
  isDescending?: boolean;
  /** Lists only these keys, in this order. */
  keyIds?: readonly string[];
  /** The last key of the previous page; null for the first page. */
  after: string | null;
  /** The maximum number of keys, at least 1. */
  pageSize: number;
}

/** The version that a change applies to; null: any, because a change sets an absolute value. */
export type ExpectedVersion = number | null;

/**
 * Administration of keys. `by` names the operator in the key's history. A `keyId` can also be the full key. Every method throws
 * ServiceError: `not_found` (unknown key ID), `invalid` (input), `precondition` (the key is revoked), `conflict` (concurrent changes,
 * or another version than expected), `unavailable` (the log isn't writable, or this node is too far behind it to know the key).
 */
export interface KeyAdmin {
  /** Issues a key. `secret` is the full key, which isn't stored. */
  issue(request: IssueRequest, by: string): Promise<{ secret: string; key: IssuedKey }>;
  /**
   * Returns a page of the matching keys; if `search` is a full key, that key. Throws `invalid` when `after` isn't a known key.
   */
  list(request: ListRequest): Promise<KeyPage>;
  /** The number of all keys. */
  count(): number;
  get(keyId: string): IssuedKey;
  /** Revocation is final; revoking again changes nothing. It applies to any version: a leaked key must be stoppable. */
  revoke(keyId: string, reason: string, by: string): Promise<IssuedKey>;
  setPlan(keyId: string, plan: string, by: string, expectedVersion?: ExpectedVersion): Promise<IssuedKey>;
  setOrigins(
    keyId: string,
    origins: readonly string[],
    by: string,
    expectedVersion?: ExpectedVersion,
  ): Promise<IssuedKey>;
  setLabel(keyId: string, label: string, by: string, expectedVersion?: ExpectedVersion): Promise<IssuedKey>;
  /** The key's events, oldest first; those of the plans for `plans`. */
  history(keyId: string): Promise<KeyEvent[]>;
  /** A plan's limits besides its monthly quota; undefined if there are none, or the plan doesn't exist. */
  limitsOf(plan: string): PlanLimits | undefined;
}

/** 71 random bits: with a million keys, the chance of a collision is one in five billion. A collision is refused. */
const KEY_ID_LENGTH = 12;
const ATTEMPTS = 10;
/** How long to wait for the registry to read a new event. */
const FOLLOW_DEADLINE_MS = 5_000;

export function createKeyAdmin(options: {
  keyLog: Pick<KeyLog, "append" | "eventsOf" | "positionAgeMs">;
  registry: KeyRegistry;
  ring: () => SigningRing;
  plans: () => Plans;
  clock: Clock;
  randomBytes: RandomBytes;
  /** Called with the signing key of each new key. */
  signedBy?: (signingKeyId: string) => void;
}): KeyAdmin {
  const { keyLog, registry, clock } = options;

  /** Operators paste full keys where an ID belongs. They are found by their hash, and never repeated in a message. */
  const get = (keyId: string) => {
    const text = keyId.trim();
    const key = hasKeyShape(text) ? registry.bySha256(sha256Of(text)) : registry.byId(keyId);
    if (key) return key;
    const named = /^geo_[ps]k_/.test(text) ? `key ${displayKey(text)}` : `key ${JSON.stringify(keyId.slice(0, 50))}`;
    const ageMs = keyLog.positionAgeMs();
    if (ageMs > MAX_LIVE_AGE_MS) {
      const behind = `this auth node is ${Math.round(ageMs / 1_000)} s behind the key log`;
      throw new ServiceError("unavailable", `${named} isn't known here, and ${behind}. Try again`);
    }
    throw new ServiceError("not_found", `${named} doesn't exist`);
  };

  /** Retries after a concurrent change, which is safe because commands set absolute values. */
  const handle = async (
    keyId: string,
    command: KeyCommand,
    by: string,
    expectedVersion: ExpectedVersion = null,
  ): Promise<IssuedKey> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = registry.byId(keyId) ?? NO_KEY;
      if (expectedVersion !== null && state.status === "active" && state.version !== expectedVersion)
        throw new ServiceError(
          "conflict",
          `key ${keyId} was changed: expected version ${expectedVersion}, found ${state.version}. Reload it and try again`,
        );
      const nowMs = clock();
      const { customer } = registry;
      const decision = decide(command, state, { planNames: [...options.plans().keys()], nowMs, customer });
      if ("refusal" in decision) throw decision.refusal;
      if (decision.fact === null) return get(keyId);
      const version = state.status === "none" ? 1 : state.version + 1;
      const at = new Date(nowMs).toISOString();
      const event = { id: randomUUID(), keyId, version, at, by, ...decision.fact } as KeyEvent;
      try {
        const sequence = await keyLog.append(event);
        await caughtUp(() => registry.position().sequence >= sequence);
        return get(keyId);
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        await caughtUp(() => (registry.byId(keyId)?.version ?? 0) >= version);
      }
    }
    throw new ServiceError("conflict", `key ${keyId} keeps being modified concurrently. Try again`);
  };

  /** The listed keys after the given one. Unknown IDs are skipped. */
  const keysOf = (keyIds: readonly string[], after: string | null) =>
    keyIds.slice(after === null ? 0 : keyIds.indexOf(after) + 1).flatMap((keyId) => registry.byId(keyId) ?? []);

  const caughtUp = async (reached: () => boolean) => {
    if (!(await registry.until(reached, FOLLOW_DEADLINE_MS)))
      throw new ServiceError(
        "unavailable",
        "the key registry is behind the key log. Check the key before you try again",
      );
  };

  return {
    issue: async (request, by) => {
      const { active } = options.ring();
      const secret = mintKey(request.kind, active, options.randomBytes);
      const keyId = `key_${randomBase62(KEY_ID_LENGTH, options.randomBytes)}`;
      const command: KeyCommand = {
        type: "IssueKey",
        ...request,
        keySha256: sha256Of(secret),
        display: displayKey(secret),
      };
      const key = await handle(keyId, command, by);
      options.signedBy?.(active.id);
      return { secret, key };
    },
    list: async ({ after, pageSize, order = "issued", isDescending = false, keyIds, ...filter }) => {
      const { search = "", ...others } = filter;
      if (hasKeyShape(search.trim())) {
        const key = registry.bySha256(sha256Of(search.trim()));
        return pageOf(key ? [key] : [], others, pageSize);
      }
      const afterIndex = after === null ? null : registry.indexOf(after);
      if (afterIndex === undefined || !(after === null || (keyIds?.includes(after) ?? true)))
        throw new ServiceError("invalid", "the page token is invalid. Start from the first page");
      if (keyIds) return pageOf(keysOf(keyIds, after), filter, pageSize);
      if (order === "issued") return pageOf(keysFrom(registry.all(), { afterIndex, isDescending }), filter, pageSize);
      return sortedPageOf(registry.all(), { order, isDescending }, { filter, afterIndex, pageSize });
    },
    count: () => registry.all().length,
    get,
    revoke: async (keyId, reason, by) => handle(get(keyId).keyId, { type: "RevokeKey", reason }, by),
    setPlan: async (keyId, plan, by, expected) => handle(get(keyId).keyId, { type: "ChangePlan", plan }, by, expected),
    setOrigins: async (keyId, origins, by, expected) =>
      handle(get(keyId).keyId, { type: "ChangeOrigins", origins }, by, expected),
    setLabel: async (keyId, label, by, expected) =>
      handle(get(keyId).keyId, { type: "ChangeLabel", label }, by, expected),
    limitsOf: (plan) => options.plans().get(plan)?.limits,
    history: async (keyId) => keyLog.eventsOf(keyId === PLANS_ID ? keyId : get(keyId).keyId),
  };
}
