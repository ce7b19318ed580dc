import type { WireLimits } from "./plan-limits-wire.ts";

/** A key as it is shown: the design's JSON form (section 9). */
export interface KeyView {
  keyId: string;
  kind: string;
  plan: string;
  /** Its plan's other limits, as in the plans file; absent if the plan has only a monthly quota. */
  limits?: WireLimits;
  label: string;
  origins: string[];
  display: string;
  status: string;
  createdAt: string;
  revokedAt?: string;
  revokedReason?: string;
  version: number;
}

/** One event of a key's history. */
export interface EventView {
  id: string;
  type: string;
  keyId: string;
  version: number;
  at: string;
  by: string;
  data: unknown;
}

/** A key's requests in a month. */
export interface UsageView {
  keyId: string;
  month: string;
  total: number;
  days: { day: string; requests: number }[];
}

/** A key as proto-loader gives it: texts that are empty are absent. */
export function keyFromWire(wire: Partial<KeyView>): KeyView {
  const { limits, revokedAt, revokedReason } = wire;
  return {
    keyId: wire.keyId ?? "",
    kind: (wire.kind ?? "").toLowerCase(),
    plan: wire.plan ?? "",
    ...(limits && { limits }),
    label: wire.label ?? "",
    origins: wire.origins ?? [],
    display: wire.display ?? "",
    status: wire.status ?? "",
    createdAt: wire.createdAt ?? "",
    ...(revokedAt === undefined ? {} : { revokedAt }),
    ...(revokedReason === undefined ? {} : { revokedReason }),
    version: wire.version ?? 0,
  };
}

/** An event as proto-loader gives it. */
export function eventFromWire(wire: Partial<EventView> & { dataJson?: string }): EventView {
  const { id = "", type = "", keyId = "", version = 0, at = "", by = "", dataJson = "{}" } = wire;
  return { id, type, keyId, version, at, by, data: JSON.parse(dataJson) };
}

/** A month as proto-loader gives it. */
export interface WireUsage {
  total?: number;
  days?: { day?: string; requests?: number }[];
}

/** A key's month as proto-loader gives it: what is 0 or empty is absent. */
export function usageFromWire(keyId: string, month: string, wire: WireUsage): UsageView {
  const days = (wire.days ?? []).map(({ day = "", requests = 0 }) => ({ day, requests }));
  return { keyId, month, total: wire.total ?? 0, days };
}
