import { customerEventId } from "@geolookup/shared/domain/key-event.ts";
import { ROLES } from "@geolookup/shared/domain/operators.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  AUDIT_ENTRY,
  CUSTOMER,
  CUSTOMER_USAGE,
  DATA,
  ISSUED_OPERATOR,
  OPERATOR,
  PLANS,
  PLANS_CHECK,
  pageOf,
} from "@geolookup/shared/runtime/grpc/admin-schemas.ts";
import {
  auditEntryFromWire,
  customerFromWire,
  operatorFromWire,
  plansCheckFromWire,
  plansFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { AUDIT, GEO, KEY_ADMIN, OPERATORS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { z } from "zod";
import { CURSOR, EXPIRY, MONTH, REASON, TEXT } from "./inputs.ts";
import { type ApiRequest, operation } from "./operation.ts";

const CUSTOMER_ID = z.string().max(64);
const MONTHLY_REQUESTS = z.int().min(0);

const getCustomer = async ({ auth }: Pick<ApiRequest, "auth">, id: string) =>
  customerFromWire(await auth(KEY_ADMIN.GetCustomer, { id }));

async function findCustomer(request: ApiRequest<unknown, { id: string }>) {
  try {
    return await getCustomer(request, request.body.id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}

export const CUSTOMER_OPERATIONS = [
  operation("get /customers", "listCustomers", "viewer", "List customers", {
    query: z.strictObject({ search: TEXT.exactOptional().describe("A part of the ID or name."), ...CURSOR }),
    result: pageOf("CustomerList", CUSTOMER),
    run: async ({ query: { search = "", limit, cursor }, auth }) => {
      const request = { search, pageSize: limit, pageToken: cursor };
      const { customers, nextPageToken } = await auth(KEY_ADMIN.ListCustomers, request);
      return { items: customers.map(customerFromWire), next: nextPageToken || null };
    },
  }),
  operation("post /customers", "addCustomer", "operator", "Add a customer", {
    ...{ status: 201 },
    body: z.strictObject({
      id: CUSTOMER_ID.describe("1 to 64 characters from a-z, 0-9, _ and -. It can't be changed."),
      name: TEXT.default(""),
      plan: TEXT,
      monthlyRequests: MONTHLY_REQUESTS.exactOptional().describe("A quota of its own. Absent: the plan's."),
    }),
    result: CUSTOMER,
    run: async ({ body, change }) => customerFromWire(await change(KEY_ADMIN.AddCustomer, body)),
    once: {
      prepare: async (request) => ({ existed: (await findCustomer(request)) !== null }),
      recover: async (request) => (request.prepared?.existed ? null : findCustomer(request)),
    },
  }),
  operation("get /customers/{id}", "getCustomer", "viewer", "Get a customer", {
    result: CUSTOMER,
    run: (request) => getCustomer(request, request.id),
  }),
  operation("patch /customers/{id}", "changeCustomer", "operator", "Change the given properties of a customer", {
    body: z.strictObject({
      name: TEXT.exactOptional(),
      plan: TEXT.exactOptional(),
      monthlyRequests: MONTHLY_REQUESTS.nullable().exactOptional().describe("null: the plan's."),
      version: z.int().min(1).exactOptional().describe("Refuses the change if the customer has another version."),
    }),
    result: CUSTOMER,
    run: async ({ id, body: { version, monthlyRequests, ...changes }, change }) => {
      const quota =
        monthlyRequests === null ? { hasPlanQuota: true } : monthlyRequests === undefined ? {} : { monthlyRequests };
      const request = { id, ...changes, ...quota, ...(version && { expectedVersion: version }) };
      return customerFromWire(await change(KEY_ADMIN.ChangeCustomer, request));
    },
  }),
  operation("post /customers/{id}/disable", "disableCustomer", "operator", "Disable all keys of a customer", {
    body: REASON,
    result: CUSTOMER,
    run: async ({ id, body, change }) => customerFromWire(await change(KEY_ADMIN.DisableCustomer, { id, ...body })),
  }),
  operation("post /customers/{id}/enable", "enableCustomer", "operator", "Enable a customer's keys", {
    result: CUSTOMER,
    run: async ({ id, change }) => customerFromWire(await change(KEY_ADMIN.EnableCustomer, { id })),
  }),
  operation(
    "get /customers/{id}/usage",
    "getCustomerUsage",
    "viewer",
    "Get a customer's requests in a month, by key and by day",
    {
      query: z.strictObject({ month: MONTH.exactOptional() }),
      result: CUSTOMER_USAGE,
      run: async (request) => {
        const { id: customer } = await getCustomer(request, request.id);
        const month = request.query.month ?? periodAt(request.nowMs).month;
        const quota = { quotaId: customerEventId(customer), month };
        const { total = 0, days, keys } = await request.services.usage(USAGE.GetQuotaMonth, quota);
        return {
          ...{ customer, month, total },
          days: days.map(({ day = "", requests = 0 }) => ({ day, requests })),
          keys: keys.map((key) => ({ keyId: key.keyId ?? "", total: key.total ?? 0 })),
        };
      },
    },
  ),
];

const PLAN_OPERATIONS = [
  operation("get /plans", "getPlans", "viewer", "Get the plans", {
    result: PLANS,
    run: async ({ auth }) => plansFromWire(await auth(KEY_ADMIN.GetPlans, {})),
  }),
  operation("post /plans/check", "checkPlans", "viewer", "See what a plans file would change; changes nothing", {
    body: z.strictObject({ plans: z.record(z.string(), z.unknown()).describe("The content of the file.") }),
    result: PLANS_CHECK,
    run: async ({ body: { plans }, auth }) =>
      plansCheckFromWire(await auth(KEY_ADMIN.CheckPlans, { text: JSON.stringify(plans) })),
  }),
  operation("post /plans/confirm", "confirmPlans", "admin", "Use the plans file that is held", {
    body: z.strictObject({ hash: TEXT.describe("Of the held content.") }),
    result: PLANS,
    run: async ({ body, change }) => plansFromWire(await change(KEY_ADMIN.ConfirmPlans, body)),
  }),
];

const OPERATOR_NAME = z.string().max(64);
const ROLE = z.enum(ROLES);

async function findOperator(request: ApiRequest<unknown, { name: string }>) {
  const { operators } = await request.auth(OPERATORS.ListOperators, {});
  const found = operators.find(({ name, removedAt }) => name === request.body.name && removedAt === undefined);
  return found ? operatorFromWire(found) : null;
}

const OPERATOR_OPERATIONS = [
  operation("get /operators", "listOperators", "admin", "List operators", {
    result: pageOf("OperatorList", OPERATOR),
    run: async ({ auth }) => {
      const { operators } = await auth(OPERATORS.ListOperators, {});
      return { items: operators.map(operatorFromWire), next: null };
    },
  }),
  operation("post /operators", "addOperator", "admin", "Add an operator", {
    ...{ status: 201, secret: "token" },
    body: z.strictObject({ name: OPERATOR_NAME, role: ROLE, expiresAt: EXPIRY.exactOptional() }),
    result: ISSUED_OPERATOR,
    run: async ({ body, change }) => {
      const { token = "", operator } = await change(OPERATORS.AddOperator, body);
      return { ...operatorFromWire(operator ?? {}), token };
    },
    once: {
      prepare: async (request) => ({ existed: (await findOperator(request)) !== null }),
      recover: async (request) => (request.prepared?.existed ? null : findOperator(request)),
    },
  }),
  operation("patch /operators/{name}", "changeOperator", "admin", "Change an operator's role", {
    body: z.strictObject({ role: ROLE }),
    result: OPERATOR,
    run: async ({ id: name, body, change }) =>
      operatorFromWire(await change(OPERATORS.SetOperatorRole, { name, ...body })),
  }),
  operation(
    "post /operators/{name}/token",
    "replaceOperatorToken",
    "admin",
    "Replace an operator's token; the old one stops working at once",
    {
      ...{ status: 201, secret: "token" },
      body: z.strictObject({ expiresAt: EXPIRY.exactOptional() }),
      result: ISSUED_OPERATOR,
      run: async ({ id: name, body, change }) => {
        const { token = "", operator } = await change(OPERATORS.ReplaceOperatorToken, { name, ...body });
        return { ...operatorFromWire(operator ?? {}), token };
      },
    },
  ),
  operation("delete /operators/{name}", "removeOperator", "admin", "Remove an operator", {
    result: OPERATOR,
    run: async ({ id: name, change }) => operatorFromWire(await change(OPERATORS.RemoveOperator, { name })),
  }),
];

const AUDIT_OPERATION = operation(
  "get /audit",
  "listAuditEntries",
  "operator",
  "List the audit trail, newest first; operators see what concerns keys, customers and plans",
  {
    query: z.strictObject({
      since: EXPIRY.exactOptional(),
      until: EXPIRY.exactOptional(),
      by: TEXT.exactOptional(),
      action: TEXT.exactOptional(),
      subject: TEXT.exactOptional(),
      ...CURSOR,
    }),
    result: pageOf("AuditList", AUDIT_ENTRY),
    run: async ({ query: { limit, cursor, ...filter }, auth }) => {
      const request = { ...filter, pageSize: limit, pageToken: cursor };
      const { entries, nextPageToken } = await auth(AUDIT.ListEntries, request);
      return { items: entries.map(auditEntryFromWire), next: nextPageToken || null };
    },
  },
);

const DATA_OPERATION = operation("get /data", "getDataStatus", "viewer", "Get the status of the geo data", {
  result: DATA,
  run: async ({ services: { geo } }) => {
    if (geo === null) throw new ServiceError("unavailable", "the portal has no GEO_URL");
    const [{ databases }, status] = await Promise.all([geo(GEO.ListDatabases, {}), geo(GEO.GetDataStatus, {})]);
    const { versions, isRefreshed = false, refresh = {} } = status;
    return {
      databases: databases.map(({ name = "", databaseType = "", buildUnixSeconds = 0, attribution = "" }) => ({
        ...{ name, databaseType, builtAt: new Date(buildUnixSeconds * 1_000).toISOString(), attribution },
      })),
      versions: versions.map(({ name = "", isInUse = false, installedAt = "", sources }) => ({
        ...{ name, isInUse, installedAt, sources },
      })),
      ...{ isRefreshed, nextRunAt: refresh.nextRunAt || null, lastRunAt: refresh.lastRunAt || null },
      ...{ lastOutcome: refresh.lastOutcome || null, problem: refresh.problem || null },
    };
  },
});

export const OTHER_OPERATIONS = [...PLAN_OPERATIONS, AUDIT_OPERATION, ...OPERATOR_OPERATIONS, DATA_OPERATION];
