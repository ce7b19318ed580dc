import { hash, randomUUID } from "node:crypto";
import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { type KeyEvent, type KeyLog, VersionConflict } from "@geolookup/shared/domain/key-event.ts";
import { displayKey } from "@geolookup/shared/domain/key-shape.ts";
import type { PlanLimits } from "@geolookup/shared/domain/plan-limits.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { mintKey } from "../signing/signature.ts";
import type { SigningRing } from "../signing/signing-ring.ts";
import { type RandomBytes, randomBase62 } from "./base62.ts";
import { decide, type IssuedKey, type KeyCommand, NO_KEY } from "./key.ts";
import { type KeyFilter, type KeyPage, pageOf } from "./key-listing.ts";
import type { KeyRegistry } from "./key-registry.ts";

export interface IssueRequest {
  kind: KeyKind;
  plan: string;
  label: string;
  origins: readonly string[];
}

export interface ListRequest extends KeyFilter {
  /** The last key of the page before; null for the first page. */
  after: string | null;
  /** How many keys at most, 1 or more. */
  pageSize: number;
}

/** The version that a change was made for; null: any, since it sets an absolute value. */
export type ExpectedVersion = number | null;

/**
 * What an operator can do with keys. `by` says who, for the history. Every method throws a
 * ServiceError: `not_found` (no such key id), `invalid` (input), `precondition` (the key is
 * revoked), `conflict` (others changed the key all the while, or since the version that is
 * expected), `unavailable` (the log cannot be written).
 */
export interface KeyAdmin {
  /** Issues a key. `secret` is the full key, which exists nowhere else. */
  issue(request: IssueRequest, by: string): Promise<{ secret: string; key: IssuedKey }>;
  /** A page of the keys that match, in the order of their issue. Throws `invalid` when `after` is no key. */
  list(request: ListRequest): KeyPage;
  get(keyId: string): IssuedKey;
  /** Revoked is for ever; revoking again changes nothing. Whatever else has changed, a leaked key is stopped. */
  revoke(keyId: string, reason: string, by: string): Promise<IssuedKey>;
  setPlan(keyId: string, plan: string, by: string, expectedVersion?: ExpectedVersion): Promise<IssuedKey>;
  setOrigins(
    keyId: string,
    origins: readonly string[],
    by: string,
    expectedVersion?: ExpectedVersion,
  ): Promise<IssuedKey>;
  setLabel(keyId: string, label: string, by: string, expectedVersion?: ExpectedVersion): Promise<IssuedKey>;
  /** The key's events, oldest first. */
  history(keyId: string): Promise<KeyEvent[]>;
  /** A plan's limits besides its monthly quota; undefined if it has none, or there is no such plan. */
  limitsOf(plan: string): PlanLimits | undefined;
}

/** 71 random bits: at a million keys, two alike are one chance in five billion, and then refused. */
const KEY_ID_LENGTH = 12;
const ATTEMPTS = 10;
/** How long the registry may take to follow the log. */
const FOLLOW_DEADLINE_MS = 5_000;

export function createKeyAdmin(options: {
  keyLog: Pick<KeyLog, "append" | "eventsOf">;
  registry: KeyRegistry;
  ring: () => SigningRing;
  plans: () => Plans;
  clock: Clock;
  randomBytes: RandomBytes;
}): KeyAdmin {
  const { keyLog, registry, clock } = options;

  const get = (keyId: string) => {
    const key = registry.byId(keyId);
    if (!key) throw new ServiceError("not_found", `there is no key ${JSON.stringify(keyId.slice(0, 50))}`);
    return key;
  };

  /** Commands set absolute values, so deciding anew after another writer won harms nobody. */
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
          `key ${keyId} has been changed: version ${expectedVersion} was expected, and it is ${state.version}`,
        );
      const decision = decide(command, state, { planNames: [...options.plans().keys()] });
      if ("refusal" in decision) throw decision.refusal;
      if (decision.fact === null) return get(keyId);
      const version = state.status === "none" ? 1 : state.version + 1;
      const at = new Date(clock()).toISOString();
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
    throw new ServiceError("conflict", `key ${keyId} is being changed by others all the while; try again`);
  };

  const caughtUp = async (reached: () => boolean) => {
    if (!(await registry.until(reached, FOLLOW_DEADLINE_MS)))
      throw new ServiceError("unavailable", "the key registry does not follow the key log; look at the key's state");
  };

  return {
    issue: async (request, by) => {
      const secret = mintKey(request.kind, options.ring().active, options.randomBytes);
      const keyId = `key_${randomBase62(KEY_ID_LENGTH, options.randomBytes)}`;
      const command: KeyCommand = {
        type: "IssueKey",
        ...request,
        keySha256: hash("sha256", secret, "hex"),
        display: displayKey(secret),
      };
      return { secret, key: await handle(keyId, command, by) };
    },
    list: ({ after, pageSize, ...filter }) => {
      if (after !== null && !registry.byId(after))
        throw new ServiceError("invalid", "the page token is none of this service's; start from the first page");
      return pageOf(registry.after(after), filter, pageSize);
    },
    get,
    revoke: async (keyId, reason, by) => handle(get(keyId).keyId, { type: "RevokeKey", reason }, by),
    setPlan: async (keyId, plan, by, expected) => handle(get(keyId).keyId, { type: "ChangePlan", plan }, by, expected),
    setOrigins: async (keyId, origins, by, expected) =>
      handle(get(keyId).keyId, { type: "ChangeOrigins", origins }, by, expected),
    setLabel: async (keyId, label, by, expected) =>
      handle(get(keyId).keyId, { type: "ChangeLabel", label }, by, expected),
    limitsOf: (plan) => options.plans().get(plan)?.limits,
    history: async (keyId) => keyLog.eventsOf(get(keyId).keyId),
  };
}
