import { isDeepStrictEqual } from "node:util";
import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { monthsBefore, periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";
import type { Customer } from "./customer.ts";
import { endOf, type IssuedKey } from "./issued-key.ts";
import {
  type Decision,
  impossible,
  invalid,
  readExpiry,
  readLabel,
  readMetadata,
  readOrigins,
  readOverlap,
  readPlan,
  readReason,
  valid,
} from "./key-input.ts";

/** A key's state: not issued, active, or revoked (final). */
export type KeyState = { status: "none" } | IssuedKey;

export const NO_KEY: KeyState = { status: "none" };

/** What a new key should be. */
export interface IssueRequest {
  kind: KeyKind;
  plan: string;
  label: string;
  origins: readonly string[];
  /** Whether the key may name a visitor in X-Forwarded-For. Refused for publishable keys. */
  mayForward?: boolean;
  /** Empty or absent: never. */
  expiresAt?: string;
  /** The ID of an existing customer. Empty or absent: none. Otherwise, the plan can be empty: the customer's. */
  customer?: string;
  metadata?: Readonly<Record<string, string>>;
}

/** Commands that change an issued key. */
export type KeyChange =
  | { type: "RotateKey"; successor: { keyId: string; keySha256: string; display: string }; overlapSeconds: number }
  | { type: "ChangeExpiry"; expiresAt: string }
  | { type: "DisableKey"; reason: string }
  | { type: "EnableKey" }
  | { type: "ChangeCustomer"; customer: string }
  | { type: "ChangeMetadata"; metadata: Readonly<Record<string, string>> }
  | { type: "ChangePlan"; plan: string }
  | { type: "ChangeOrigins"; origins: readonly string[] }
  | { type: "ChangeLabel"; label: string }
  | { type: "RevokeKey"; reason: string };

export type KeyCommand =
  /** `keySha256` is hexadecimal. */
  ({ type: "IssueKey"; keySha256: string; display: string } & IssueRequest) | KeyChange;

/** An event without its envelope. */
export type KeyFact = KeyChanged extends infer Event
  ? Event extends KeyChanged
    ? Pick<Event, "type" | "data">
    : never
  : never;

/** What a decision depends on, besides the key. */
export interface DecisionContext {
  /** The names of all plans. */
  planNames: readonly string[];
  nowMs: number;
  customer: (id: string) => Customer | undefined;
}

/**
 * Decides what a command does to a key. Setting the current value, revoking a revoked key or disabling a disabled one records nothing; the
 * first reason stays. No other command changes a revoked key.
 */
export function decide(command: KeyCommand, state: KeyState, context: DecisionContext): Decision<KeyFact> {
  try {
    return { fact: factOf(command, state, context) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error };
    throw error;
  }
}

/** @throws ServiceError: the refusal. */
function factOf(command: KeyCommand, state: KeyState, context: DecisionContext): KeyFact | null {
  if (command.type === "IssueKey") return issue(command, state, context);
  if (state.status === "none") throw new ServiceError("not_found", "this key doesn't exist");
  if (command.type === "RevokeKey")
    return state.status === "revoked" ? null : fact("KeyRevoked", { reason: valid(readReason(command.reason)) });
  if (state.status === "revoked")
    throw impossible(`key ${state.keyId} is revoked and can't be changed. Issue a new key`);
  switch (command.type) {
    case "ChangePlan": {
      const plan = valid(readPlan(command.plan, context.planNames));
      return plan === state.plan ? null : fact("KeyPlanChanged", { plan });
    }
    case "ChangeOrigins": {
      const origins = valid(readOrigins(command.origins));
      return isDeepStrictEqual(origins, state.origins) ? null : fact("KeyOriginsChanged", { origins });
    }
    case "ChangeLabel": {
      const label = valid(readLabel(command.label));
      return label === state.label ? null : fact("KeyLabelChanged", { label });
    }
    case "RotateKey":
      return rotate(command, state, context);
    case "ChangeExpiry": {
      const expiresAt = valid(readExpiry(command.expiresAt, context.nowMs)) ?? null;
      return expiresAt === (state.expiresAt ?? null) ? null : fact("KeyExpiryChanged", { expiresAt });
    }
    case "DisableKey":
      return state.disabledAt ? null : fact("KeyDisabled", { reason: valid(readReason(command.reason)) });
    case "EnableKey": {
      if (state.disabledAt) return fact("KeyEnabled", {});
      const { customer } = state;
      if (customer !== undefined && context.customer(customer)?.disabledAt)
        throw impossible(
          `key ${state.keyId} isn't disabled itself, but its customer ${customer} is. Enable the customer`,
        );
      return null;
    }
    case "ChangeCustomer": {
      const customer = customerOf(command.customer, context)?.id ?? null;
      const from = monthsBefore(periodAt(context.nowMs).month, -1);
      return customer === (state.customer ?? null) ? null : fact("KeyCustomerChanged", { customer, from });
    }
    case "ChangeMetadata": {
      const metadata = valid(readMetadata(command.metadata));
      return isDeepStrictEqual(metadata, state.metadata ?? {}) ? null : fact("KeyMetadataChanged", { metadata });
    }
  }
}

function issue(command: Extract<KeyCommand, { type: "IssueKey" }>, state: KeyState, context: DecisionContext): KeyFact {
  if (state.status !== "none") throw new ServiceError("conflict", `the key ID ${state.keyId} is already in use`);
  const customer = customerOf(command.customer ?? "", context);
  const plan = valid(readPlan(command.plan || (customer?.plan ?? ""), context.planNames));
  const label = valid(readLabel(command.label));
  const origins = valid(readOrigins(command.origins));
  const { kind, keySha256, display, mayForward } = command;
  if (mayForward && kind !== "secret")
    throw invalid("only a secret key can look up visitors: anyone can read a publishable key");
  const expiresAt = valid(readExpiry(command.expiresAt ?? "", context.nowMs));
  const metadata = valid(readMetadata(command.metadata ?? {}));
  return fact("KeyIssued", {
    ...{ kind, plan, label, origins, keySha256, display },
    ...(mayForward && { mayForward }),
    ...(expiresAt && { expiresAt }),
    ...(customer && { customer: customer.id }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  });
}

function rotate(
  { successor, overlapSeconds }: Extract<KeyCommand, { type: "RotateKey" }>,
  state: IssuedKey,
  context: DecisionContext,
): KeyFact {
  const overlapMs = valid(readOverlap(overlapSeconds)) * 1_000;
  if (state.rotatedTo) throw impossible(`key ${state.keyId} was rotated already; its successor is ${state.rotatedTo}`);
  const customer = state.customer === undefined ? undefined : context.customer(state.customer);
  const end = endOf(state, customer, context.nowMs);
  if (end?.how === "expired")
    throw impossible(`key ${state.keyId} has expired, and its successor would have the same expiry. Change that first`);
  if (end) throw impossible(`key ${state.keyId} is disabled, and its successor would be too. Enable it first`);
  return fact("KeyRotated", { successor, endsAt: new Date(context.nowMs + overlapMs).toISOString() });
}

/** @returns undefined for an empty ID. */
function customerOf(id: string, context: DecisionContext): Customer | undefined {
  if (id === "") return undefined;
  const customer = context.customer(id);
  if (!customer)
    throw invalid(
      `the customer ${JSON.stringify(id.slice(0, 64))} doesn't exist. Add it with: ./geolookup customers add`,
    );
  return customer;
}

/**
 * Returns the state after an event.
 * @throws Error when the event isn't possible in this state: the log is corrupt.
 */
export function evolve(state: KeyState, event: KeyChanged): IssuedKey {
  if (event.type === "KeyIssued") {
    if (state.status !== "none") throw new Error(`key ${event.keyId} was issued twice`);
    const { keyId, version, at } = event;
    const { kind, plan, label, origins, display, mayForward, expiresAt, customer, metadata } = event.data;
    // Without a spread, which takes several times as long: a million keys may be read at startup.
    const key: IssuedKey = { status: "active", keyId, kind, plan, label, origins, display, version, createdAt: at };
    if (mayForward && kind === "secret") key.mayForward = mayForward;
    if (expiresAt) key.expiresAt = timeOf(expiresAt);
    if (customer) key.customer = customer;
    if (metadata) key.metadata = metadata;
    return key;
  }
  if (state.status === "none") throw new Error(`${event.type} of key ${event.keyId}, which wasn't issued`);
  const next = { ...state, version: event.version };
  switch (event.type) {
    case "KeyPlanChanged":
      return { ...next, plan: event.data.plan };
    case "KeyOriginsChanged":
      return { ...next, origins: event.data.origins };
    case "KeyLabelChanged":
      return { ...next, label: event.data.label };
    case "KeyRotated":
      return { ...next, rotatedTo: event.data.successor.keyId, endsAt: timeOf(event.data.endsAt) };
    case "KeyExpiryChanged": {
      const { expiresAt: _, ...other } = next;
      return event.data.expiresAt === null ? other : { ...other, expiresAt: timeOf(event.data.expiresAt) };
    }
    case "KeyDisabled":
      return { ...next, disabledAt: event.at, disabledReason: event.data.reason };
    case "KeyEnabled": {
      const { disabledAt: _at, disabledReason: _reason, ...other } = next;
      return other;
    }
    case "KeyCustomerChanged":
      return withCustomer(next, event.data);
    case "KeyMetadataChanged":
      return { ...next, metadata: event.data.metadata };
    case "KeyRevoked":
      return { ...next, status: "revoked", revokedAt: event.at, revokedReason: event.data.reason };
  }
}

/** The state of a rotated key's successor. @param state of the rotated key, before the event. */
export function successorOf(state: IssuedKey, { at, data }: Extract<KeyChanged, { type: "KeyRotated" }>): IssuedKey {
  const { keyId, display } = data.successor;
  const { disabledAt: _at, disabledReason: _reason, ...same } = state;
  const rotation = { rotatedFrom: state.keyId, rotationRoot: state.rotationRoot ?? state.keyId };
  return { ...same, ...rotation, keyId, display, version: 1, createdAt: at };
}

function withCustomer(key: IssuedKey, { customer, from }: { customer: string | null; from: Month }): IssuedKey {
  const { customer: previous = null, quotaBefore, ...other } = key;
  // Moved twice in a month, it still counts toward the first quota.
  const counted = quotaBefore && quotaBefore.until >= from ? quotaBefore.customer : previous;
  return {
    ...other,
    ...(customer !== null && { customer }),
    ...(counted !== customer && { quotaBefore: { customer: counted, until: from } }),
  };
}

/** In the form that sorts by time. */
function timeOf(text: string): string {
  return new Date(text).toISOString();
}

function fact<Type extends KeyFact["type"]>(type: Type, data: Extract<KeyFact, { type: Type }>["data"]): KeyFact {
  return { type, data } as KeyFact;
}
