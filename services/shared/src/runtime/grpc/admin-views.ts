import type { z } from "zod";
import type { Role } from "../../domain/operators.ts";
import type { PlanDifference, PlanEntries } from "../../domain/plans.ts";
import type { AuditEntry__Output as WireAuditEntry } from "../../generated/geolookup/auth/v1/AuditEntry.ts";
import type { Customer__Output as WireCustomer } from "../../generated/geolookup/auth/v1/Customer.ts";
import type { Event__Output as WireEvent } from "../../generated/geolookup/auth/v1/Event.ts";
import type { GetPlansResponse__Output as WirePlans } from "../../generated/geolookup/auth/v1/GetPlansResponse.ts";
import type { IssueKeyResponse__Output as WireIssuedKey } from "../../generated/geolookup/auth/v1/IssueKeyResponse.ts";
import type { Key__Output as WireKey } from "../../generated/geolookup/auth/v1/Key.ts";
import type { KeyKind__Output as WireKind } from "../../generated/geolookup/auth/v1/KeyKind.ts";
import type { Operator__Output as WireOperator } from "../../generated/geolookup/auth/v1/Operator.ts";
import type { PlansCheck__Output as WirePlansCheck } from "../../generated/geolookup/auth/v1/PlansCheck.ts";
import type { Quota__Output as WireQuota } from "../../generated/geolookup/auth/v1/Quota.ts";
import type { GetMonthResponse__Output as WireMonth } from "../../generated/geolookup/usage/v1/GetMonthResponse.ts";
import type {
  AUDIT_ENTRY,
  CUSTOMER,
  HISTORY,
  KEY,
  OPERATOR,
  PLANS,
  PLANS_CHECK,
  QUOTA,
  USAGE,
} from "./admin-schemas.ts";
import { enumName } from "./wire.ts";

// What `--json` prints, the admin API returns and the console shows.
export type KeyView = z.infer<typeof KEY>;
export type QuotaView = z.infer<typeof QUOTA>;
export type CustomerView = z.infer<typeof CUSTOMER>;
export type OperatorView = z.infer<typeof OPERATOR>;
export type AuditEntryView = z.infer<typeof AUDIT_ENTRY>;
export type EventView = z.infer<typeof HISTORY>["items"][number];
export type UsageView = z.infer<typeof USAGE>;

/** What a plans file would change. */
export interface PlansCheckView extends z.infer<typeof PLANS_CHECK> {
  /** Each with the number of active keys that have the plan. */
  differences: (PlanDifference & { keys: number })[];
}

/** The current plans. */
export interface PlansView extends z.infer<typeof PLANS> {
  plans: PlanEntries;
  held: PlansCheckView | null;
}

/** A newly issued key. Its secret can't be retrieved again. */
export interface IssuedKeyView {
  secret: string;
  key: KeyView;
}

/** An unknown kind becomes unspecified. Auth refuses that in a new key; in a filter it matches both kinds. */
export function kindToWire(kind: string): WireKind {
  return kind === "publishable" || kind === "secret" ? enumName(kind) : "KEY_KIND_UNSPECIFIED";
}

// Protobuf omits empty and zero values.

export function keyFromWire(wire: WireKey): KeyView {
  const { limits, customer, metadata = {}, quota, nextQuota } = wire;
  return {
    keyId: wire.keyId ?? "",
    kind: (wire.kind ?? "").toLowerCase() as KeyView["kind"],
    plan: wire.plan ?? "",
    ...(limits && { limits }),
    label: wire.label ?? "",
    origins: wire.origins,
    display: wire.display ?? "",
    ...(wire.mayForward && { mayForward: true }),
    status: (wire.status ?? "") as KeyView["status"],
    createdAt: wire.createdAt ?? "",
    ...present(wire, "revokedAt", "revokedReason"),
    version: wire.version ?? 0,
    ...present(wire, "expiresAt", "disabledAt", "disabledReason", "rotatedFrom", "rotatedTo", "endsAt"),
    ...(customer && { customer }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(quota && { quota: quotaFromWire(quota) }),
    ...(nextQuota && { nextQuota: quotaFromWire(nextQuota) }),
  };
}

function quotaFromWire({ id = "", monthlyRequests = 0, from }: WireQuota): QuotaView {
  return { id, monthlyRequests, ...(from && { from }) };
}

export function customerFromWire(wire: WireCustomer): CustomerView {
  const { id = "", name = "", plan = "", quota, status = "", createdAt = "", version = 0 } = wire;
  return {
    ...{ id, name, plan },
    ...present(wire, "monthlyRequests"),
    ...(quota && { quota: quotaFromWire(quota) }),
    ...{ status: status as CustomerView["status"], createdAt },
    ...present(wire, "disabledAt", "disabledReason"),
    ...{ version, keys: wire.keys ?? 0, activeKeys: wire.activeKeys ?? 0 },
  };
}

export function operatorFromWire(wire: WireOperator): OperatorView {
  const { name = "", role = "", createdAt = "", version = 0 } = wire;
  return { name, role: role as Role, createdAt, ...present(wire, "expiresAt", "removedAt"), version };
}

export function auditEntryFromWire(wire: WireAuditEntry): AuditEntryView {
  const { id = "", at = "", by = "", action = "", subject = "", beforeJson, afterJson, count } = wire;
  const parsed = (json: string | undefined) => JSON.parse(json || "null");
  return { id, at, by, action, subject, before: parsed(beforeJson), after: parsed(afterJson), count: count || 1 };
}

/** The given properties of an object, without the absent ones. */
function present<Wire extends object, Name extends keyof Wire>(wire: Wire, ...names: Name[]) {
  const set = names.filter((name) => wire[name] !== undefined).map((name) => [name, wire[name]]);
  return Object.fromEntries(set) as { [Each in Name]?: Exclude<Wire[Each], undefined> };
}

export function issuedKeyFromWire({ secret = "", key = { origins: [] } }: WireIssuedKey): IssuedKeyView {
  return { secret, key: keyFromWire(key) };
}

export function eventFromWire(wire: WireEvent): EventView {
  const { id = "", type = "", keyId = "", version = 0, at = "", by = "", dataJson = "{}" } = wire;
  return { id, type, keyId, version, at, by, data: JSON.parse(dataJson) };
}

export function usageFromWire({ keyId = "", month = "", total = 0, days, refusals }: WireMonth): UsageView {
  return {
    ...{ keyId, month, total, days: daysFromWire(days) },
    refusals: refusals.map(({ code = "", total = 0, days }) => ({ code, total, days: daysFromWire(days) })),
  };
}

function daysFromWire(days: WireMonth["days"]): UsageView["days"] {
  return days.map(({ day = "", requests = 0 }) => ({ day, requests }));
}

export function plansFromWire({ plansJson = "{}", held, ...wire }: WirePlans): PlansView {
  const { hash = "", version = 0, at = "", by = "" } = wire;
  return { plans: JSON.parse(plansJson), hash, version, at, by, held: held ? plansCheckFromWire(held) : null };
}

export function plansCheckFromWire({ hash = "", differences, holds }: WirePlansCheck): PlansCheckView {
  return {
    hash,
    differences: differences.map(({ plan = "", field = "", oldJson = "null", newJson = "null", keys = 0 }) => ({
      ...{ plan, field: field as PlanDifference["field"], old: JSON.parse(oldJson), new: JSON.parse(newJson), keys },
    })),
    holds,
  };
}
