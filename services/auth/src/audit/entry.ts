import { type KeyEvent, PLANS_ID } from "@geolookup/shared/domain/key-event.ts";
import type { AuditEntry } from "@geolookup/shared/logs/audit/audit-log.ts";
import type { OperatorEvent } from "@geolookup/shared/logs/operators/operator-log.ts";

type Properties = Record<string, unknown>;
type AnyEvent = KeyEvent | OperatorEvent;

/**
 * The audit entry of an event: the properties that it changed, before and after.
 * @param earlier the events before it that made the state, oldest first.
 */
export function entryOf(event: AnyEvent, earlier: readonly AnyEvent[]): AuditEntry {
  const state: Properties = {};
  // Of plans, only the last change counts: it has all of them.
  for (const each of event.type === "PlansChanged" ? earlier.slice(-1) : earlier)
    Object.assign(state, propertiesOf(each));
  const removed =
    event.type === "PlansChanged" ? Object.fromEntries(Object.keys(state).map((plan) => [plan, null])) : {};
  const changed = Object.entries({ ...removed, ...propertiesOf(event) }).filter(
    ([name, value]) => !isSame(state[name], value),
  );
  const before = changed.filter(([name]) => state[name] !== undefined).map(([name]) => [name, state[name]]);
  return {
    ...headOf(event),
    ...(before.length > 0 && { before: Object.fromEntries(before) }),
    ...(changed.length > 0 && { after: Object.fromEntries(changed) }),
  };
}

/** An event's entry without what changed. */
export function headOf(event: AnyEvent): AuditEntry {
  const { id, at, by, type: action } = event;
  return { id, at, by, action, subject: "operator" in event ? event.operator : event.keyId.replace(/^customer_/, "") };
}

/** What an event sets, named as in the JSON form of keys, customers and operators. Hashes of keys and tokens aren't in it. */
function propertiesOf(event: AnyEvent): Properties {
  switch (event.type) {
    case "KeyIssued": {
      const { keySha256: _, ...issued } = event.data;
      return { status: "active", ...issued };
    }
    case "KeyRotated":
      return { rotatedTo: event.data.successor.keyId, endsAt: event.data.endsAt };
    case "KeyDisabled":
    case "CustomerDisabled":
      return { status: "disabled", disabledReason: event.data.reason };
    case "KeyRevoked":
      return { status: "revoked", revokedReason: event.data.reason };
    case "KeyEnabled":
    case "CustomerEnabled":
      return { status: "active" };
    case "CustomerAdded":
      return { status: "active", ...event.data };
    case "CustomerChanged":
      return { monthlyRequests: null, ...event.data };
    case "PlansChanged":
      return event.data.plans;
    case "OperatorAdded":
      return { status: "active", role: event.data.role, expiresAt: event.data.expiresAt ?? null };
    case "OperatorTokenReplaced":
      return { expiresAt: event.data.expiresAt ?? null };
    case "OperatorRemoved":
      return { status: "removed" };
    default:
      return event.data;
  }
}

/** Pages of a thousand such entries fit into a gRPC message, and each into one of NATS. */
const MAX_ENTRY_BYTES = 64 * 1_024;
const MAX_NAMES_LENGTH = 1_000;

/** The same entry, or, if that is too large, one that says so instead of what changed. */
export function shortened(entry: AuditEntry): AuditEntry {
  if (Buffer.byteLength(JSON.stringify(entry)) <= MAX_ENTRY_BYTES) return entry;
  const { before, after, ...rest } = entry;
  const names = Object.keys({ ...before, ...after }).join(", ");
  return { ...rest, after: { shortened: `too large for an entry; changed: ${names.slice(0, MAX_NAMES_LENGTH)}` } };
}

/** Whether a value is unchanged. Null counts as missing. */
function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
}

/** Whether operators may see entries with an action who aren't admins. */
export function concernsKeys(action: string): boolean {
  return /^(Key|Customer|Plans)/.test(action);
}

/** The entry of plans that aren't in force. */
export function plansHeldEntry(
  held: { hash: string; holds: readonly string[] },
  version: number,
  at: string,
): AuditEntry {
  const { hash, holds } = held;
  return {
    id: `held-${version}-${hash}`,
    at,
    by: "plans file",
    action: "PlansHeld",
    subject: PLANS_ID,
    after: { hash, holds },
  };
}
