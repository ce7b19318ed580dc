import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { readLabel, readOrigins, readPlan, readReason } from "./key-input.ts";

/** An issued key. The full key isn't stored, only its SHA-256 and display form. */
export interface IssuedKey {
  status: "active" | "revoked";
  keyId: string;
  kind: KeyKind;
  plan: string;
  label: string;
  /** Allowlist entries in normal form. */
  origins: readonly string[];
  display: string;
  /** Set if the key may name a visitor in X-Forwarded-For. Secret keys only, and never changed. */
  mayForward?: true;
  /** The number of its events. */
  version: number;
  /** RFC 3339, UTC. */
  createdAt: string;
  revokedAt?: string;
  revokedReason?: string;
}

/** A key's state: not issued, active, or revoked (final). */
export type KeyState = { status: "none" } | IssuedKey;

export const NO_KEY: KeyState = { status: "none" };

export type KeyCommand =
  | {
      type: "IssueKey";
      kind: KeyKind;
      plan: string;
      label: string;
      origins: readonly string[];
      /** Hexadecimal. */
      keySha256: string;
      display: string;
      mayForward?: boolean;
    }
  | { type: "ChangePlan"; plan: string }
  | { type: "ChangeOrigins"; origins: readonly string[] }
  | { type: "ChangeLabel"; label: string }
  | { type: "RevokeKey"; reason: string };

/** An event without its envelope. */
export type KeyFact = KeyChanged extends infer Event
  ? Event extends KeyChanged
    ? Pick<Event, "type" | "data">
    : never
  : never;

/** The result of a command: a fact to record, null if nothing changes, or a refusal. */
export type Decision = { fact: KeyFact | null } | { refusal: ServiceError };

/**
 * Decides what a command does to a key. Setting the current value, or revoking a revoked key, records nothing; the first
 * reason for revocation stays. No other command changes a revoked key.
 * @param context.planNames the names of all plans.
 */
export function decide(command: KeyCommand, state: KeyState, context: { planNames: readonly string[] }): Decision {
  if (command.type === "IssueKey") return issue(command, state, context);
  if (state.status === "none") return refuse("not_found", "this key doesn't exist");
  if (command.type === "RevokeKey") {
    if (state.status === "revoked") return { fact: null };
    const reason = readReason(command.reason);
    return "problem" in reason ? refuse("invalid", reason.problem) : fact("KeyRevoked", { reason: reason.value });
  }
  if (state.status === "revoked")
    return refuse("precondition", `key ${state.keyId} is revoked and can't be changed. Issue a new key`);
  switch (command.type) {
    case "ChangePlan": {
      const plan = readPlan(command.plan, context.planNames);
      if ("problem" in plan) return refuse("invalid", plan.problem);
      return plan.value === state.plan ? { fact: null } : fact("KeyPlanChanged", { plan: plan.value });
    }
    case "ChangeOrigins": {
      const origins = readOrigins(command.origins);
      if ("problem" in origins) return refuse("invalid", origins.problem);
      const same = JSON.stringify(origins.value) === JSON.stringify(state.origins);
      return same ? { fact: null } : fact("KeyOriginsChanged", { origins: origins.value });
    }
    case "ChangeLabel": {
      const label = readLabel(command.label);
      if ("problem" in label) return refuse("invalid", label.problem);
      return label.value === state.label ? { fact: null } : fact("KeyLabelChanged", { label: label.value });
    }
  }
}

function issue(
  command: Extract<KeyCommand, { type: "IssueKey" }>,
  state: KeyState,
  context: { planNames: readonly string[] },
): Decision {
  if (state.status !== "none") return refuse("conflict", `the key ID ${state.keyId} is already in use`);
  const plan = readPlan(command.plan, context.planNames);
  if ("problem" in plan) return refuse("invalid", plan.problem);
  const label = readLabel(command.label);
  if ("problem" in label) return refuse("invalid", label.problem);
  const origins = readOrigins(command.origins);
  if ("problem" in origins) return refuse("invalid", origins.problem);
  const { kind, keySha256, display, mayForward } = command;
  if (mayForward && kind !== "secret")
    return refuse("invalid", "only a secret key can look up visitors: anyone can read a publishable key");
  const data = { kind, plan: plan.value, label: label.value, origins: origins.value, keySha256, display };
  return fact("KeyIssued", mayForward ? { ...data, mayForward } : data);
}

/**
 * Returns the state after an event.
 * @throws Error when the event isn't possible in this state: the log is corrupt.
 */
export function evolve(state: KeyState, event: KeyChanged): IssuedKey {
  if (event.type === "KeyIssued") {
    if (state.status !== "none") throw new Error(`key ${event.keyId} was issued twice`);
    const { keyId, version, at } = event;
    const { kind, plan, label, origins, display, mayForward } = event.data;
    const key: IssuedKey = { status: "active", keyId, kind, plan, label, origins, display, version, createdAt: at };
    return mayForward && kind === "secret" ? { ...key, mayForward } : key;
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
    case "KeyExpiryChanged":
    case "KeyDisabled":
    case "KeyEnabled":
    case "KeyCustomerChanged":
    case "KeyMetadataChanged":
      return next;
    case "KeyRevoked":
      return { ...next, status: "revoked", revokedAt: event.at, revokedReason: event.data.reason };
  }
}

function fact<Type extends KeyFact["type"]>(
  type: Type,
  data: Extract<KeyFact, { type: Type }>["data"],
): { fact: KeyFact } {
  return { fact: { type, data } as KeyFact };
}

function refuse(code: "invalid" | "not_found" | "precondition" | "conflict", message: string): Decision {
  return { refusal: new ServiceError(code, message) };
}
