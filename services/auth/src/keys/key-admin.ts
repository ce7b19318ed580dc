import type { Clock } from "@geolookup/shared/domain/clock.ts";
import {
  customerEventId,
  type KeyEvent,
  type KeyLog,
  MAX_LIVE_AGE_MS,
  PLANS_ID,
} from "@geolookup/shared/domain/key-event.ts";
import { displayKey, hasKeyShape, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import type { PlanLimits, Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { sha256Of } from "../authorizer.ts";
import { mintKey, type RandomBytes, randomBase62 } from "../signing/signature.ts";
import type { SigningRing } from "../signing/signing-ring.ts";
import { createBulkIssue, type PreparedKey, type PreparedKeys } from "./bulk-issue.ts";
import type { Changes } from "./changes.ts";
import { findCustomer } from "./customer-admin.ts";
import { type IssuedKey, type KeyQuotas, type KeyStatus, quotasOf, statusOf } from "./issued-key.ts";
import { decide, type IssueRequest, type KeyChange, NO_KEY } from "./key.ts";
import { type KeyFilter, type KeyOrder, type KeyPage, keysFrom, pageOf, sortedPageOf } from "./key-listing.ts";
import type { KeyRegistry } from "./key-registry.ts";

export interface ListRequest extends KeyFilter {
  /** Default: the order of issue. */
  order?: "issued" | KeyOrder;
  isDescending?: boolean;
  /** Lists only these keys, in this order. */
  keyIds?: readonly string[];
  /** Lists only the keys of this customer. */
  customer?: string;
  /** The last key of the previous page; null for the first page. */
  after: string | null;
  /** The maximum number of keys, at least 1. */
  pageSize: number;
}

/** The version that a change applies to; null: any, because a change sets an absolute value. */
export type ExpectedVersion = number | null;

/** What holds for a key now, besides its record. */
export interface KeyDetails {
  status: KeyStatus;
  /** Its plan's, besides the monthly quota. Absent: none. */
  limits?: PlanLimits;
  /** Absent if its plan, its customer or the customer's plan doesn't exist. */
  quotas?: KeyQuotas;
  /** When and why it was disabled, itself or with its customer. */
  disabled?: { at: string; reason: string };
}

/**
 * Administration of keys. `by` names the operator in the key's history. A `keyId` can also be the full key. Every method throws
 * ServiceError: `not_found` (unknown key ID), `invalid` (input), `precondition` (not possible in the key's state, or before every process
 * was upgraded), `conflict` (concurrent changes, or another version than expected), `unavailable` (the log isn't writable, or this node
 * is too far behind it to know the key).
 */
export interface KeyAdmin {
  /** Issues a key. `secret` is the full key, which isn't stored. */
  issue(request: IssueRequest, by: string): Promise<{ secret: string; key: IssuedKey }>;
  /** Makes keys for requests, to issue them later, or returns every problem. */
  prepare(requests: readonly IssueRequest[], by: string): Promise<PreparedKeys>;
  /** Issues prepared keys: all, or none if a request is invalid. Issuing one again changes nothing. */
  issuePrepared(requests: readonly (IssueRequest & PreparedKey)[], by: string): Promise<IssuedKey[]>;
  /** Issues a successor of a key, which ends after the overlap. */
  rotate(
    keyId: string,
    overlapSeconds: number,
    by: string,
    expectedVersion?: ExpectedVersion,
  ): Promise<{ secret: string; key: IssuedKey }>;
  /** Changes a key. Repeating a change records nothing. */
  change(keyId: string, command: KeyChange, by: string, expectedVersion?: ExpectedVersion): Promise<IssuedKey>;
  /**
   * Returns a page of the matching keys; if `search` is a full key, that key. Throws `invalid` when `after` isn't a known key.
   */
  list(request: ListRequest): Promise<KeyPage>;
  /** The number of all keys. */
  count(): number;
  get(keyId: string): IssuedKey;
  /** The issued keys among texts, each with the place of its text. */
  find(texts: readonly string[]): { index: number; key: IssuedKey }[];
  /** The events of a key, of the plans (`plans`) or of a customer (`customer_` and its ID), oldest first. */
  history(keyId: string): Promise<KeyEvent[]>;
  details(key: IssuedKey): KeyDetails;
}

/** 71 random bits: with a million keys, the chance of a collision is one in five billion. A collision is refused. */
const KEY_ID_LENGTH = 12;
const CUSTOMER_PREFIX = customerEventId("");

export function createKeyAdmin(options: {
  keyLog: Pick<KeyLog, "eventsOf" | "positionAgeMs">;
  registry: KeyRegistry;
  changes: Changes;
  ring: () => SigningRing;
  plans: () => Plans;
  clock: Clock;
  randomBytes: RandomBytes;
  /** Called with the signing key of each new key. */
  signedBy?: (signingKeyId: string) => void;
}): KeyAdmin {
  const { keyLog, registry, changes, ring, plans, clock, randomBytes } = options;

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
  const customerOf = ({ customer }: IssuedKey) => (customer === undefined ? undefined : registry.customer(customer));
  const contextAt = (nowMs: number) => ({ planNames: [...plans().keys()], nowMs, customer: registry.customer });

  const change: KeyAdmin["change"] = async (given, command, by, expectedVersion = null) => {
    const { keyId } = get(given);
    const decideNow = (nowMs: number) => {
      const state = registry.byId(keyId) ?? NO_KEY;
      if (expectedVersion !== null && state.status === "active" && state.version !== expectedVersion)
        throw new ServiceError(
          "conflict",
          `key ${keyId} was changed: expected version ${expectedVersion}, found ${state.version}. Reload it and try again`,
        );
      return decide(command, state, contextAt(nowMs));
    };
    await changes.make(keyId, decideNow, by);
    return get(keyId);
  };
  const mint = (kind: IssueRequest["kind"]) => {
    const { active } = ring();
    const secret = mintKey(kind, active, randomBytes);
    return { secret, keyId: `key_${randomBase62(KEY_ID_LENGTH, randomBytes)}` };
  };
  const noteSigned = (secrets: readonly string[]) => {
    for (const signingKeyId of new Set(secrets.map((secret) => parseKey(secret)?.signingKeyId)))
      if (signingKeyId) options.signedBy?.(signingKeyId);
  };
  const bulk = createBulkIssue({ registry, changes, ring, context: contextAt, prepare: ({ kind }) => mint(kind) });

  /** The listed keys after the given one. Unknown IDs are skipped. */
  const keysOf = (keyIds: readonly string[], after: string | null, customer: string | undefined) =>
    keyIds
      .slice(after === null ? 0 : keyIds.indexOf(after) + 1)
      .flatMap((keyId) => registry.byId(keyId) ?? [])
      .filter((key) => customer === undefined || key.customer === customer);

  return {
    issue: async (request, by) => {
      const { secret, keyId } = mint(request.kind);
      const command = {
        type: "IssueKey",
        ...request,
        keySha256: sha256Of(secret),
        display: displayKey(secret),
      } as const;
      await changes.make(keyId, (nowMs) => decide(command, registry.byId(keyId) ?? NO_KEY, contextAt(nowMs)), by);
      noteSigned([secret]);
      return { secret, key: get(keyId) };
    },
    prepare: (requests, by) => bulk.prepare(requests, by, clock()),
    issuePrepared: async (requests, by) => {
      const keys = await bulk.issue(requests, by, clock());
      noteSigned(requests.map(({ secret }) => secret));
      return keys;
    },
    rotate: async (keyId, overlapSeconds, by, expected) => {
      const { secret, keyId: successorId } = mint(get(keyId).kind);
      const successor = { keyId: successorId, keySha256: sha256Of(secret), display: displayKey(secret) };
      await change(keyId, { type: "RotateKey", successor, overlapSeconds }, by, expected);
      noteSigned([secret]);
      return { secret, key: get(successorId) };
    },
    change,
    list: async ({ after, pageSize, order = "issued", isDescending = false, keyIds, customer, ...filter }) => {
      const nowMs = clock();
      const statusNow = (key: IssuedKey) => statusOf(key, customerOf(key), nowMs);
      const { search = "", ...others } = filter;
      const pageOfOnly = (keys: IssuedKey[], rest: KeyFilter) => pageOf((at) => keys[at], rest, pageSize, statusNow);
      if (hasKeyShape(search.trim())) {
        const key = registry.bySha256(sha256Of(search.trim()));
        return pageOfOnly(key && (customer === undefined || key.customer === customer) ? [key] : [], others);
      }
      const afterIndex = after === null ? null : registry.indexOf(after);
      if (afterIndex === undefined || !(after === null || (keyIds?.includes(after) ?? true)))
        throw new ServiceError("invalid", "the page token is invalid. Start from the first page");
      if (keyIds) return pageOfOnly(keysOf(keyIds, after, customer), filter);
      const selection = {
        all: registry.all(),
        indexes: customer === undefined ? undefined : [...registry.indexesOf(customer)],
      };
      if (order !== "issued")
        return sortedPageOf(selection, { order, isDescending }, { filter, afterIndex, pageSize, statusOf: statusNow });
      return pageOf(keysFrom(selection, { afterIndex, isDescending }), filter, pageSize, statusNow);
    },
    count: () => registry.all().length,
    get,
    find: (texts) =>
      texts.flatMap((text, index) => {
        const key = hasKeyShape(text) ? registry.bySha256(sha256Of(text)) : undefined;
        return key ? [{ index, key }] : [];
      }),
    history: async (keyId) => {
      const isCustomer = keyId.startsWith(CUSTOMER_PREFIX);
      if (isCustomer) findCustomer(registry, keyId.slice(CUSTOMER_PREFIX.length));
      if (isCustomer || keyId === PLANS_ID) return keyLog.eventsOf(keyId);
      const key = get(keyId);
      const events = await keyLog.eventsOf(key.keyId);
      if (key.rotatedFrom === undefined) return events;
      const isIts = (event: KeyEvent) => event.type === "KeyRotated" && event.data.successor.keyId === key.keyId;
      return [...(await keyLog.eventsOf(key.rotatedFrom)).filter(isIts), ...events];
    },
    details: (key) => {
      const customer = customerOf(key);
      const disabled = key.disabledAt === undefined ? customer : key;
      const limits = plans().get(key.plan)?.limits;
      const quotas = orUndefined(() => quotasOf(key, { customer: registry.customer, plans: plans(), nowMs: clock() }));
      return {
        status: statusOf(key, customer, clock()),
        ...(limits && { limits }),
        ...(quotas && { quotas }),
        ...(disabled?.disabledAt && { disabled: { at: disabled.disabledAt, reason: disabled.disabledReason ?? "" } }),
      };
    },
  };
}

/** @returns undefined instead of throwing a ServiceError. */
export function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
