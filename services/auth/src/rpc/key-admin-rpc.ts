import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { planEntries, plansHash } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Customer as WireCustomer } from "@geolookup/shared/generated/geolookup/auth/v1/Customer.ts";
import type { Event as WireEvent } from "@geolookup/shared/generated/geolookup/auth/v1/Event.ts";
import type { GetPlansResponse as WirePlans } from "@geolookup/shared/generated/geolookup/auth/v1/GetPlansResponse.ts";
import type { IssueKeyRequest__Output as WireIssueRequest } from "@geolookup/shared/generated/geolookup/auth/v1/IssueKeyRequest.ts";
import type { Key as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import type { KeyKind__Output as WireKeyKind } from "@geolookup/shared/generated/geolookup/auth/v1/KeyKind.ts";
import type { ListKeysRequest__Output as WireListRequest } from "@geolookup/shared/generated/geolookup/auth/v1/ListKeysRequest.ts";
import type { PlansCheck as WireCheck } from "@geolookup/shared/generated/geolookup/auth/v1/PlansCheck.ts";
import {
  callerOf,
  expectBatch,
  type Identify,
  type Metadata,
  type ServedService,
  serve,
} from "@geolookup/shared/runtime/grpc/served-service.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { enumName, limitsToWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import type { OpenedAuth } from "../auth.ts";
import type { Customer, CustomerCommand } from "../keys/customer.ts";
import { customerQuota, type IssuedKey, KEY_STATUSES, type KeyStatus } from "../keys/issued-key.ts";
import type { IssueRequest, KeyChange } from "../keys/key.ts";
import { type ListRequest, orUndefined } from "../keys/key-admin.ts";
import type { PlansCheck, PlansKeeper } from "../plans/keep-plans.ts";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** Fits 1,000 new keys, or 1,000 texts in which to find keys. */
const MAX_REQUEST_BYTES = 2 ** 20;

/** Serves KeyAdmin of proto/auth/v1. The caller's name is recorded with each change. */
export function keyAdminService(
  { admin, customers, plans, finishUpgrade }: Pick<OpenedAuth, "admin" | "customers" | "plans" | "finishUpgrade">,
  identify: Identify,
): ServedService {
  const keyToWire = (key: IssuedKey): WireKey => {
    const { status, limits, quotas, disabled } = admin.details(key);
    const { kind, disabledAt: _at, disabledReason: _reason, ...recorded } = key;
    return {
      ...{ ...recorded, ...quotas, kind: enumName(kind), status },
      ...(limits && { limits: limitsToWire(limits) }),
      ...(disabled && { disabledAt: disabled.at, disabledReason: disabled.reason }),
    };
  };
  const change = async (
    { keyId = "", expectedVersion = 0 }: { keyId?: string; expectedVersion?: number },
    command: KeyChange,
    metadata: Metadata,
  ) => keyToWire(await admin.change(keyId, command, callerOf(metadata).name, expectedVersion || null));
  const customerToWire = (customer: Customer): WireCustomer => {
    // Without its plan, it is still shown.
    const quota = orUndefined(() => customerQuota(customer, plans.current()));
    const status = customer.disabledAt ? "disabled" : "active";
    return { ...customer, ...(quota && { quota }), status, ...customers.keysOf(customer) };
  };
  const changeCustomer = async (id: string, command: CustomerCommand, metadata: Metadata, expectedVersion = 0) =>
    customerToWire(await customers.change(id, command, callerOf(metadata).name, expectedVersion || null));
  return serve(
    KEY_ADMIN,
    {
      IssueKey: async (request, metadata) => {
        const { secret, key } = await admin.issue(issueRequest(request), callerOf(metadata).name);
        return { secret, key: keyToWire(key) };
      },
      PrepareKeys: async ({ keys }, metadata) => {
        expectBatch(keys, MAX_PAGE_SIZE);
        return admin.prepare(keys.map(issueRequest), callerOf(metadata).name);
      },
      IssueKeys: async ({ keys }, metadata) => {
        expectBatch(keys, MAX_PAGE_SIZE);
        const requests = keys.map((key) => ({
          ...issueRequest(key),
          keyId: key.keyId ?? "",
          secret: key.secret ?? "",
        }));
        return { keys: (await admin.issuePrepared(requests, callerOf(metadata).name)).map(keyToWire) };
      },
      FindKeys: ({ texts }) => {
        expectBatch(texts, MAX_PAGE_SIZE);
        return { found: admin.find(texts).map(({ index, key }) => ({ index, key: keyToWire(key) })) };
      },
      ListKeys: async (request) => {
        const { keys, lastKeyId } = await admin.list(listRequest(request));
        return { keys: keys.map(keyToWire), nextPageToken: lastKeyId ?? "", total: admin.count() };
      },
      GetKey: ({ keyId = "" }) => keyToWire(admin.get(keyId)),
      RotateKey: async ({ keyId = "", overlapSeconds = 0, expectedVersion }, metadata) => {
        const { name } = callerOf(metadata);
        const { secret, key } = await admin.rotate(keyId, overlapSeconds, name, expectedVersion || null);
        return { secret, key: keyToWire(key) };
      },
      RevokeKey: (request, metadata) => change(request, { type: "RevokeKey", reason: request.reason ?? "" }, metadata),
      SetPlan: (request, metadata) => change(request, { type: "ChangePlan", plan: request.plan ?? "" }, metadata),
      SetOrigins: (request, metadata) => change(request, { type: "ChangeOrigins", origins: request.origins }, metadata),
      SetLabel: (request, metadata) => change(request, { type: "ChangeLabel", label: request.label ?? "" }, metadata),
      SetExpiry: (request, metadata) =>
        change(request, { type: "ChangeExpiry", expiresAt: request.expiresAt ?? "" }, metadata),
      DisableKey: (request, metadata) =>
        change(request, { type: "DisableKey", reason: request.reason ?? "" }, metadata),
      EnableKey: (request, metadata) => change(request, { type: "EnableKey" }, metadata),
      SetCustomer: (request, metadata) =>
        change(request, { type: "ChangeCustomer", customer: request.customer ?? "" }, metadata),
      SetMetadata: (request, metadata) =>
        change(request, { type: "ChangeMetadata", metadata: request.metadata ?? {} }, metadata),
      AddCustomer: ({ id = "", name = "", plan = "", monthlyRequests }, metadata) => {
        const quota = monthlyRequests !== undefined && { monthlyRequests };
        return changeCustomer(id, { type: "AddCustomer", id, name, plan, ...quota }, metadata);
      },
      ListCustomers: ({ search = "", pageSize, pageToken }) => {
        const page = customers.list({ search, after: pageToken || null, pageSize: pageSizeOf(pageSize) });
        const nextPageToken = page.lastId ?? "";
        return { customers: page.customers.map(customerToWire), nextPageToken, total: customers.count() };
      },
      GetCustomer: ({ id = "" }) => customerToWire(customers.get(id)),
      ChangeCustomer: ({ id = "", name, plan, monthlyRequests, hasPlanQuota, expectedVersion }, metadata) => {
        const quota = hasPlanQuota ? null : monthlyRequests;
        const changes = {
          ...(name !== undefined && { name }),
          ...(plan !== undefined && { plan }),
          ...(quota !== undefined && { monthlyRequests: quota }),
        };
        return changeCustomer(id, { type: "ChangeCustomer", ...changes }, metadata, expectedVersion);
      },
      DisableCustomer: ({ id = "", reason = "" }, metadata) =>
        changeCustomer(id, { type: "DisableCustomer", reason }, metadata),
      EnableCustomer: ({ id = "" }, metadata) => changeCustomer(id, { type: "EnableCustomer" }, metadata),
      FinishUpgrade: async ({ version = "" }, metadata) => {
        const { data, at } = await finishUpgrade(version, callerOf(metadata).name);
        return { ...data, at };
      },
      GetPlans: () => plansToWire(plans),
      CheckPlans: async ({ text = "" }) => checkToWire(await plans.check(text)),
      ConfirmPlans: async ({ hash = "" }, metadata) => {
        await plans.confirm(hash, callerOf(metadata).name);
        return plansToWire(plans);
      },
      GetHistory: async ({ keyId = "" }) => ({ events: (await admin.history(keyId)).map(eventToWire) }),
    },
    { identify, maxRequestBytes: MAX_REQUEST_BYTES },
  );
}

function issueRequest(request: WireIssueRequest): IssueRequest {
  const { kind, plan = "", label = "", origins, mayForward, expiresAt = "", customer = "", metadata = {} } = request;
  return {
    ...{ kind: kindOf(kind), plan, label, origins, expiresAt, customer, metadata },
    ...(mayForward && { mayForward }),
  };
}

function pageSizeOf(pageSize = 0): number {
  return Math.min(pageSize || DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
}

/** Omits unset fields, which match every key. */
function listRequest(request: WireListRequest): ListRequest {
  const { search, kind, plan, status, pageSize, pageToken, sort, isDescending = false, keyIds, customer } = request;
  if (keyIds.length > MAX_PAGE_SIZE)
    throw new ServiceError("invalid", `a list can name at most ${MAX_PAGE_SIZE} keys, not ${keyIds.length}`);
  return {
    ...(search && { search }),
    ...(kind && kind !== "KEY_KIND_UNSPECIFIED" && { kind: kindOf(kind) }),
    ...(plan && { plan }),
    ...(status && { status: statusOf(status) }),
    ...(sort && { order: orderOf(sort) }),
    isDescending,
    ...(keyIds.length > 0 && { keyIds }),
    after: pageToken || null,
    ...(customer && { customer }),
    pageSize: pageSizeOf(pageSize),
  };
}

function statusOf(text: string): KeyStatus {
  const status = KEY_STATUSES.find((each) => each === text);
  if (status) return status;
  throw new ServiceError("invalid", `a key's status must be one of ${KEY_STATUSES.join(", ")}`);
}

const ORDERS = ["issued", "label", "kind", "plan", "status"] as const;

function orderOf(sort: string) {
  const order = ORDERS.find((each) => each === sort);
  if (order === undefined) throw new ServiceError("invalid", `keys can be sorted by ${ORDERS.join(", ")}`);
  return order;
}

function kindOf(kind: WireKeyKind | undefined) {
  if (kind === "PUBLISHABLE") return "publishable";
  if (kind === "SECRET") return "secret";
  throw new ServiceError("invalid", "a key's kind must be publishable or secret");
}

function plansToWire(plans: PlansKeeper): WirePlans {
  const current = plans.current();
  const { version = 0, at = "", by = "" } = plans.lastChange() ?? {};
  const held = plans.held();
  const plansJson = JSON.stringify(planEntries(current));
  return { plansJson, hash: plansHash(current), version, at, by, ...(held && { held: checkToWire(held) }) };
}

function checkToWire({ differences, ...check }: PlansCheck): WireCheck {
  const toWire = ({ old, new: changed, ...difference }: (typeof differences)[0]) => ({
    ...{ ...difference, oldJson: JSON.stringify(old), newJson: JSON.stringify(changed) },
  });
  return { ...check, differences: differences.map(toWire) };
}

function eventToWire({ data, ...event }: KeyEvent): WireEvent {
  return { ...event, dataJson: JSON.stringify(data) };
}
