import type { UsageSummary } from "@geolookup/shared/domain/usage.ts";
import type { ExplainResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/ExplainResponse.ts";
import type { GetDataStatusResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/GetDataStatusResponse.ts";
import {
  type AuditEntryView,
  auditEntryFromWire,
  type CustomerView,
  customerFromWire,
  type EventView,
  eventFromWire,
  type IssuedKeyView,
  issuedKeyFromWire,
  type KeyView,
  keyFromWire,
  kindToWire,
  type OperatorView,
  operatorFromWire,
  type PlansView,
  plansFromWire,
  type UsageView,
  usageFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { CallOptions } from "@geolookup/shared/runtime/grpc/client.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import { AUDIT, GEO, KEY_ADMIN, OPERATORS, TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { TableSort } from "../data-report/table-sort.ts";
import {
  type Call,
  connectServices,
  READ_DEADLINE_MS,
  type ServiceSettings,
  type Services,
} from "../deployment/services.ts";

const CUSTOMERS_PER_PAGE = 100;
/** A sorted page takes one call, which scans all keys. */
const SORT_DEADLINE_MS = 3_500;
/** An empty string matches anything. */
export interface KeyFilter {
  search: string;
  kind: string;
  plan: string;
  status: string;
  /** The customer's ID. */
  customer: string;
}

/** A key's requests by hour, as a usage process has seen them. */
export interface KeyHours {
  /** Since when it has all of them. */
  sinceMs: number;
  /** By the start of the hour, in milliseconds since the Unix epoch, and by code: an error's, or `ok`. */
  hours: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** Which entries of the audit trail; an empty string matches any. */
export interface AuditFilter {
  by: string;
  action: string;
  subject: string;
  /** RFC 3339, UTC. */
  since: string;
  until: string;
}

/** A new customer, or its settings. `monthlyRequests` null: the plan's quota. */
export interface CustomerSettings {
  name: string;
  plan: string;
  monthlyRequests: number | null;
}

export interface PageRequest {
  size: number;
  /** Empty for the first page. */
  token: string;
  /** `issued`, `label`, `kind`, `plan` or `status`. */
  sort: TableSort;
  /** Lists only these keys, in this order. */
  keyIds?: readonly string[];
}

export interface IssueRequest {
  kind: string;
  plan: string;
  label: string;
  origins: string[];
  mayForward: boolean;
  /** RFC 3339, UTC; empty: never. */
  expiresAt: string;
  /** The customer's ID; empty: none. */
  customer: string;
}

export interface KeyPage {
  keys: KeyView[];
  /** Where the next page starts; empty on the last page. */
  nextPageToken: string;
  /** All keys, whatever the filter; 0 from an auth service of version 0.1. */
  total: number;
}

/**
 * A change of a key. Except for revoking, which must always succeed, a change names the version that it applies to. If the key has
 * another version, the call fails with `conflict`.
 */
export type KeyChange =
  | ({ expectedVersion: number } & (
      | { plan: string }
      | { label: string }
      | { origins: string[] }
      | { expiresAt: string }
      | { customer: string }
      | { metadata: Record<string, string> }
    ))
  | { reason: string };

/** What every operator may read. Every method throws ServiceError. */
export interface Reads {
  /** A page that isn't the last one can still have fewer keys than requested, or none. */
  listKeys(filter: KeyFilter, page: PageRequest): Promise<KeyPage>;
  getKey(keyId: string): Promise<KeyView>;
  /** Oldest first. */
  history(keyId: string): Promise<EventView[]>;
  plans(): Promise<PlansView>;
  usage(keyId: string, month: string): Promise<UsageView>;
  hours(keyId: string): Promise<KeyHours>;
  /** The requests of all keys in a month. @param top how many of the busiest keys to list. */
  summary(month: string, top: number): Promise<UsageSummary>;
  /** The number of requests of each key in a month, in the order of the keys. */
  totals(keyIds: readonly string[], month: string): Promise<number[]>;
  listCustomers(
    search: string,
    after: string,
  ): Promise<{ customers: CustomerView[]; nextPageToken: string; total: number }>;
  getCustomer(id: string): Promise<CustomerView>;
  /** The requests that count toward a quota in a month. */
  quotaUsed(quotaId: string, month: string): Promise<number>;
  /** The last day with a request of each key; empty: never. */
  lastUsed(keyIds: readonly string[]): Promise<string[]>;
  /** What each database and geofeed of a geo node contains for an address; null without a geo service. */
  explain: ((address: string) => Promise<ExplainResponse__Output>) | null;
  /** Where a geo node's data comes from; null without a geo service. */
  dataStatus: (() => Promise<GetDataStatusResponse__Output>) | null;
}

/** All calls of the console, as an operator or as the portal itself. Every method throws ServiceError. */
export interface Backend extends Reads, Disposable {
  /** The same calls, as an operator. */
  as(operator: NonNullable<CallOptions["operator"]>): Backend;
  /** Whom auth takes these calls for. @param token of an operator; default: the portal's own. */
  whoAmI(token?: string): Promise<OperatorView>;
  /** Records a sign-in, a sign-out or a refused sign-in in the audit trail. */
  record(action: "SignedIn" | "SignedOut" | "SignInRefused", operator: { name: string; source: string }): Promise<void>;
  issueKey(request: IssueRequest): Promise<IssuedKeyView>;
  /** Returns the changed key. */
  changeKey(keyId: string, change: KeyChange, deadlineMs?: number): Promise<KeyView>;
  /** Issues a successor. @param overlapSeconds how long both keys work. */
  rotateKey(keyId: string, overlapSeconds: number): Promise<IssuedKeyView>;
  disableKey(keyId: string, reason: string): Promise<KeyView>;
  enableKey(keyId: string): Promise<KeyView>;
  addCustomer(id: string, settings: CustomerSettings): Promise<CustomerView>;
  changeCustomer(id: string, settings: CustomerSettings, expectedVersion: number): Promise<CustomerView>;
  disableCustomer(id: string, reason: string): Promise<CustomerView>;
  enableCustomer(id: string): Promise<CustomerView>;
  listOperators(): Promise<OperatorView[]>;
  /** Returns the operator's token, the only time. @param expiresAt RFC 3339, UTC; empty: never. */
  addOperator(name: string, role: string, expiresAt: string): Promise<string>;
  replaceOperatorToken(name: string, expiresAt: string): Promise<string>;
  setOperatorRole(name: string, role: string): Promise<void>;
  removeOperator(name: string): Promise<void>;
  /** Newest first. */
  auditEntries(
    filter: AuditFilter,
    size: number,
    after: string,
  ): Promise<{ entries: AuditEntryView[]; nextPageToken: string }>;
  /** Puts the plans file with this hash in force. */
  confirmPlans(hash: string): Promise<PlansView>;
}

/**
 * Connects the console to auth, usage and geo.
 * @param tls null: the connections have no TLS.
 */
export function connectBackend(settings: ServiceSettings, tls: InternalTls | null): Backend {
  return callsAs(connectServices(settings, tls), undefined);
}

function callsAs(services: Services, operator: CallOptions["operator"]): Backend {
  const { auth, usage, geo } = services;
  const admin: Call = (method, request, options) => auth(method, request, { operator, ...options });
  const change: Call = (method, request, options) =>
    admin(method, request, { deadlineMs: CHANGE_DEADLINE_MS, ...options });
  return {
    as: (other) => callsAs(services, other),
    whoAmI: async (token) => operatorFromWire(await admin(OPERATORS.WhoAmI, {}, token === undefined ? {} : { token })),
    async record(action, { name, source }) {
      await auth(AUDIT.RecordEntry, { action, by: name, subject: source });
    },
    async listKeys({ kind, ...filter }, { size, token, sort, keyIds = [] }) {
      const { column, isDescending } = sort;
      const page = { pageSize: size, pageToken: token, sort: column, isDescending, keyIds: [...keyIds] };
      const {
        keys,
        nextPageToken = "",
        total = 0,
      } = await admin(
        KEY_ADMIN.ListKeys,
        { ...filter, kind: kindToWire(kind), ...page },
        { deadlineMs: column === "issued" ? READ_DEADLINE_MS : SORT_DEADLINE_MS },
      );
      return { keys: keys.map(keyFromWire), nextPageToken, total };
    },
    getKey: async (keyId) => keyFromWire(await admin(KEY_ADMIN.GetKey, { keyId })),
    issueKey: async ({ kind, ...request }) =>
      issuedKeyFromWire(await change(KEY_ADMIN.IssueKey, { ...request, kind: kindToWire(kind) })),
    async changeKey(keyId, keyChange, deadlineMs = CHANGE_DEADLINE_MS) {
      const within: Call = (method, request) => change(method, request, { deadlineMs });
      const request = { keyId, ...keyChange };
      const changed = () => {
        if ("plan" in request) return within(KEY_ADMIN.SetPlan, request);
        if ("label" in request) return within(KEY_ADMIN.SetLabel, request);
        if ("origins" in request) return within(KEY_ADMIN.SetOrigins, request);
        if ("expiresAt" in request) return within(KEY_ADMIN.SetExpiry, request);
        if ("customer" in request) return within(KEY_ADMIN.SetCustomer, request);
        if ("metadata" in request) return within(KEY_ADMIN.SetMetadata, request);
        return within(KEY_ADMIN.RevokeKey, request);
      };
      return keyFromWire(await changed());
    },
    history: async (keyId) => (await admin(KEY_ADMIN.GetHistory, { keyId })).events.map(eventFromWire),
    plans: async () => plansFromWire(await admin(KEY_ADMIN.GetPlans, {})),
    rotateKey: async (keyId, overlapSeconds) =>
      issuedKeyFromWire(await change(KEY_ADMIN.RotateKey, { keyId, overlapSeconds })),
    disableKey: async (keyId, reason) => keyFromWire(await change(KEY_ADMIN.DisableKey, { keyId, reason })),
    enableKey: async (keyId) => keyFromWire(await change(KEY_ADMIN.EnableKey, { keyId })),
    async listCustomers(search, after) {
      const request = { search, pageToken: after, pageSize: CUSTOMERS_PER_PAGE };
      const { customers, nextPageToken = "", total = 0 } = await admin(KEY_ADMIN.ListCustomers, request);
      return { customers: customers.map(customerFromWire), nextPageToken, total };
    },
    getCustomer: async (id) => customerFromWire(await admin(KEY_ADMIN.GetCustomer, { id })),
    addCustomer: async (id, { monthlyRequests, ...settings }) =>
      customerFromWire(
        await change(KEY_ADMIN.AddCustomer, {
          id,
          ...settings,
          ...(monthlyRequests !== null && { monthlyRequests }),
        }),
      ),
    changeCustomer: async (id, { monthlyRequests, ...settings }, expectedVersion) =>
      customerFromWire(
        await change(KEY_ADMIN.ChangeCustomer, {
          ...{ id, ...settings, expectedVersion },
          ...(monthlyRequests === null ? { hasPlanQuota: true } : { monthlyRequests }),
        }),
      ),
    disableCustomer: async (id, reason) => customerFromWire(await change(KEY_ADMIN.DisableCustomer, { id, reason })),
    enableCustomer: async (id) => customerFromWire(await change(KEY_ADMIN.EnableCustomer, { id })),
    listOperators: async () => (await admin(OPERATORS.ListOperators, {})).operators.map(operatorFromWire),
    addOperator: async (name, role, expiresAt) =>
      (await change(OPERATORS.AddOperator, { name, role, expiresAt })).token ?? "",
    replaceOperatorToken: async (name, expiresAt) =>
      (await change(OPERATORS.ReplaceOperatorToken, { name, expiresAt })).token ?? "",
    setOperatorRole: async (name, role) => void (await change(OPERATORS.SetOperatorRole, { name, role })),
    removeOperator: async (name) => void (await change(OPERATORS.RemoveOperator, { name })),
    async auditEntries(filter, pageSize, pageToken) {
      const { entries, nextPageToken = "" } = await admin(AUDIT.ListEntries, { ...filter, pageSize, pageToken });
      return { entries: entries.map(auditEntryFromWire), nextPageToken };
    },
    quotaUsed: async (quotaId, month) => (await usage(USAGE.GetQuotaMonth, { quotaId, month })).total ?? 0,
    lastUsed: async (keyIds) => (await usage(USAGE.GetLastUsed, { keyIds: [...keyIds] })).days,
    confirmPlans: async (hash) => plansFromWire(await change(KEY_ADMIN.ConfirmPlans, { hash })),
    hours: async (keyId) => {
      const { sinceMs = 0, counts } = await usage(USAGE.GetHours, { keyId });
      const hours = new Map<number, Map<string, number>>();
      for (const { startMs = 0, code = "", requests = 0 } of counts)
        hours.set(startMs, (hours.get(startMs) ?? new Map<string, number>()).set(code, requests));
      return { sinceMs, hours };
    },
    usage: async (keyId, month) => usageFromWire(await usage(USAGE.GetMonth, { keyId, month })),
    async summary(month, top) {
      const { total = 0, days, keyCount = 0, top: found } = await usage(USAGE.GetSummary, { month, top });
      return {
        total,
        days: days.map(({ day = "", requests = 0 }) => ({ day, requests })),
        keyCount,
        top: found.map((each) => ({ keyId: each.keyId ?? "", total: each.total ?? 0 })),
      };
    },
    async totals(keyIds, month) {
      // Without an instance ID, the counts of all gateways are included.
      return (await usage(TOTALS.GetTotals, { month, keyIds })).totals;
    },
    explain: geo && ((address) => geo(GEO.Explain, { address })),
    dataStatus: geo && (() => geo(GEO.GetDataStatus, {})),
    [Symbol.dispose]: () => services[Symbol.dispose](),
  };
}
