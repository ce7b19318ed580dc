import type { KeyEnd, KeyKind, Quota } from "@geolookup/shared/domain/authorize.ts";
import { customerEventId } from "@geolookup/shared/domain/key-event.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Month } from "@geolookup/shared/domain/usage.ts";
import type { Customer } from "./customer.ts";

/** An issued key. The full key isn't stored, only its SHA-256 and display form. */
export interface IssuedKey {
  /** As recorded. What holds at a time: statusOf. */
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
  /** RFC 3339, UTC, like all times here. */
  expiresAt?: string;
  disabledAt?: string;
  disabledReason?: string;
  rotatedFrom?: string;
  rotatedTo?: string;
  /** When it ends, because it was rotated. */
  endsAt?: string;
  /** The first key of its rotations, whose quota it counts toward. Absent: itself. */
  rotationRoot?: string;
  customer?: string;
  /** Set while it counts toward another quota than its customer's: that of this customer, or its own (null). */
  quotaBefore?: { customer: string | null; until: Month };
  metadata?: Readonly<Record<string, string>>;
}

/** A key's status at a time. Each goes before the ones after it. */
export const KEY_STATUSES = ["revoked", "disabled", "rotated", "expired", "active"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** The status of a key at a time. @param customer its own; undefined if it has none. */
export function statusOf(key: IssuedKey, customer: Customer | undefined, nowMs: number): KeyStatus {
  return key.status === "revoked" ? "revoked" : (endOf(key, customer, nowMs)?.how ?? "active");
}

/** Why and since when a key that isn't revoked has no active record; null if it has one. */
export function endOf(key: IssuedKey, customer: Customer | undefined, nowMs: number): KeyEnd | null {
  const disabledAt = key.disabledAt ?? customer?.disabledAt;
  if (disabledAt !== undefined) return { how: "disabled", at: disabledAt };
  const { endsAt, expiresAt } = key;
  if (endsAt !== undefined && Date.parse(endsAt) <= nowMs) return { how: "rotated", at: endsAt };
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs) return { how: "expired", at: expiresAt };
  return null;
}

/** When a key will end by itself, and how; undefined: it won't. */
export function futureEndOf({ endsAt, expiresAt }: IssuedKey): KeyEnd | undefined {
  if (endsAt !== undefined && (expiresAt === undefined || endsAt <= expiresAt)) return { how: "rotated", at: endsAt };
  return expiresAt === undefined ? undefined : { how: "expired", at: expiresAt };
}

/** What a key's requests count toward now, and from a later month on if that differs. */
export interface KeyQuotas {
  quota: Quota;
  nextQuota?: Quota & { from: Month };
}

/** @throws ServiceError `internal` if the key's plan, its customer or the customer's plan doesn't exist. */
export function quotasOf(
  key: IssuedKey,
  context: { customer: (id: string) => Customer | undefined; plans: Plans; nowMs: number },
): KeyQuotas {
  const quotaOf = (id: string | null | undefined): Quota => {
    if (id === null || id === undefined)
      return {
        id: key.rotationRoot ?? key.keyId,
        monthlyRequests: requestsOf(key.plan, `key ${key.keyId}`, context.plans),
      };
    const customer = context.customer(id);
    if (!customer) throw new ServiceError("internal", `key ${key.keyId} has the customer ${id}, which doesn't exist`);
    return customerQuota(customer, context.plans);
  };
  const { quotaBefore, customer } = key;
  if (!quotaBefore || periodAt(context.nowMs).month >= quotaBefore.until) return { quota: quotaOf(customer) };
  return { quota: quotaOf(quotaBefore.customer), nextQuota: { ...quotaOf(customer), from: quotaBefore.until } };
}

/** What a customer's keys share. @throws ServiceError `internal` if its plan doesn't exist. */
export function customerQuota({ id, plan, monthlyRequests }: Customer, plans: Plans): Quota {
  return { id: customerEventId(id), monthlyRequests: monthlyRequests ?? requestsOf(plan, `customer ${id}`, plans) };
}

function requestsOf(name: string, holder: string, plans: Plans): number {
  const plan = plans.get(name);
  if (!plan) throw new ServiceError("internal", `${holder} has the plan ${name}, which isn't in the plans file`);
  return plan.monthlyRequests;
}
