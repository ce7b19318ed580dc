import type { UsageSummary } from "@geolookup/shared/domain/usage.ts";
import {
  customerFromWire,
  eventFromWire,
  keyFromWire,
  kindToWire,
  operatorFromWire,
  plansCheckFromWire,
  plansFromWire,
  usageFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { GEO, KEY_ADMIN, OPERATORS, TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { type Call, READ_DEADLINE_MS, type Services } from "./services.ts";

/** A sorted page takes one call, which scans all keys. */
const SORT_DEADLINE_MS = 3_500;

/** Nothing and an empty string match anything. */
export interface KeyFilter {
  search?: string;
  kind?: string;
  plan?: string;
  status?: string;
  /** The customer's ID. */
  customer?: string;
}

/** A page of a list. */
export interface PageRequest {
  size: number;
  /** Empty for the first page. */
  token: string;
}

/** Which page of the keys. */
export interface KeyPageRequest extends PageRequest {
  /** `issued` (default), `label`, `kind`, `plan` or `status`. */
  sort?: { column: string; isDescending: boolean };
  /** Lists only these keys, in this order. */
  keyIds?: readonly string[];
}

/** A key's requests by hour, as a usage process has seen them. */
export interface KeyHours {
  /** Since when it has all of them. */
  sinceMs: number;
  /** By the start of the hour, in milliseconds since the Unix epoch, and by code: an error's, or `ok`. */
  hours: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** A page of keys that was read. */
export type KeyPage = Awaited<ReturnType<Reads["listKeys"]>>;

/** What every operator may read. Every method throws ServiceError. */
export type Reads = ReturnType<typeof readsOf>;

/** @param admin calls auth. Usage and geo don't ask whose call it is. */
export function readsOf({ usage, geo }: Services, admin: Call) {
  return {
    /** Whom auth takes these calls for. @param token of an operator; default: the caller's. */
    whoAmI: async (token?: string) =>
      operatorFromWire(await admin(OPERATORS.WhoAmI, {}, token === undefined ? {} : { token })),
    /**
     * A page that isn't the last one can still have fewer keys than requested, or none.
     * @returns also where the next page starts (empty on the last one), and the number of all keys, whatever the filter (0: unknown).
     */
    async listKeys({ kind = "", ...filter }: KeyFilter, { size, token, sort, keyIds = [] }: KeyPageRequest) {
      const order = sort && { sort: sort.column, isDescending: sort.isDescending };
      const page = { pageSize: size, pageToken: token, ...order, keyIds: [...keyIds] };
      const isScan = sort !== undefined && sort.column !== "issued";
      const deadlineMs = isScan ? SORT_DEADLINE_MS : READ_DEADLINE_MS;
      const request = { ...filter, kind: kindToWire(kind), ...page };
      const { keys, nextPageToken = "", total = 0 } = await admin(KEY_ADMIN.ListKeys, request, { deadlineMs });
      return { keys: keys.map(keyFromWire), nextPageToken, total };
    },
    /** @param keyId or the key itself. */
    getKey: async (keyId: string) => keyFromWire(await admin(KEY_ADMIN.GetKey, { keyId })),
    /** The issued keys among texts, each with the index of its text. */
    findKeys: async (texts: string[]) =>
      (await admin(KEY_ADMIN.FindKeys, { texts })).found.map(({ index = 0, key }) => ({
        ...keyFromWire(key ?? { origins: [] }),
        index,
      })),
    /** Oldest first. @param id of a key, a customer's quota, or the plans. */
    history: async (id: string) => (await admin(KEY_ADMIN.GetHistory, { keyId: id })).events.map(eventFromWire),
    plans: async () => plansFromWire(await admin(KEY_ADMIN.GetPlans, {})),
    /** What a plans file would change. */
    checkPlans: async (text: string) => plansCheckFromWire(await admin(KEY_ADMIN.CheckPlans, { text })),
    async listCustomers(search: string, { size, token }: PageRequest) {
      const request = { search, pageToken: token, pageSize: size };
      const { customers, nextPageToken = "", total = 0 } = await admin(KEY_ADMIN.ListCustomers, request);
      return { customers: customers.map(customerFromWire), nextPageToken, total };
    },
    getCustomer: async (id: string) => customerFromWire(await admin(KEY_ADMIN.GetCustomer, { id })),
    /** A key's requests in a month, by day. */
    usage: async (keyId: string, month: string) => usageFromWire(await usage(USAGE.GetMonth, { keyId, month })),
    async hours(keyId: string): Promise<KeyHours> {
      const { sinceMs = 0, counts } = await usage(USAGE.GetHours, { keyId });
      const hours = new Map<number, Map<string, number>>();
      for (const { startMs = 0, code = "", requests = 0 } of counts)
        hours.set(startMs, (hours.get(startMs) ?? new Map<string, number>()).set(code, requests));
      return { sinceMs, hours };
    },
    /** The requests that count toward a quota in a month, by day and by key. */
    async quotaUsage(quotaId: string, month: string) {
      const { total = 0, days, keys } = await usage(USAGE.GetQuotaMonth, { quotaId, month });
      return {
        total,
        days: days.map(({ day = "", requests = 0 }) => ({ day, requests })),
        keys: keys.map((each) => ({ keyId: each.keyId ?? "", total: each.total ?? 0 })),
      };
    },
    /** The requests of all keys in a month. @param top how many of the busiest keys to list. */
    async summary(month: string, top: number): Promise<UsageSummary> {
      const { total = 0, days, keyCount = 0, top: found } = await usage(USAGE.GetSummary, { month, top });
      return {
        total,
        days: days.map(({ day = "", requests = 0 }) => ({ day, requests })),
        keyCount,
        top: found.map((each) => ({ keyId: each.keyId ?? "", total: each.total ?? 0 })),
      };
    },
    /** The number of requests of each key in a month, in the order of the keys. */
    totals: async (keyIds: string[], month: string) =>
      // Without an instance ID, the counts of all gateways are included.
      (await usage(TOTALS.GetTotals, { month, keyIds })).totals,
    /** The last day with a request of each key; empty: never. */
    lastUsed: async (keyIds: string[]) => (await usage(USAGE.GetLastUsed, { keyIds })).days,
    /** What each database and geofeed of a geo node contains for an address; null without a geo service. */
    explain: geo && ((address: string) => geo(GEO.Explain, { address })),
    /** Where a geo node's data comes from; null without a geo service. */
    dataStatus: geo && (() => geo(GEO.GetDataStatus, {})),
    /** The loaded databases; null without a geo service. */
    databases: geo && (() => geo(GEO.ListDatabases, {})),
  };
}
