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
import { z } from "zod";
import { CURSOR, EXPIRY, MONTH, REASON, TEXT } from "./inputs.ts";
import { type ApiRequest, operation, orNone } from "./operation.ts";

const CUSTOMER_ID = z.string().max(64);
const MONTHLY_REQUESTS = z.int().min(0);

const findCustomer = ({ body, backend }: ApiRequest<unknown, { id: string }>) => orNone(backend.getCustomer(body.id));

export const CUSTOMER_OPERATIONS = [
  operation("get /customers", "listCustomers", "viewer", "List customers", {
    query: z.strictObject({ search: TEXT.exactOptional().describe("A part of the ID or name."), ...CURSOR }),
    result: pageOf("CustomerList", CUSTOMER),
    run: async ({ query: { search = "", limit, cursor }, backend }) => {
      const { customers, nextPageToken } = await backend.listCustomers(search, { size: limit, token: cursor });
      return { items: customers, next: nextPageToken || null };
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
    run: ({ body: { id, ...settings }, backend }) => backend.addCustomer(id, settings),
    once: {
      prepare: async (request) => ({ existed: (await findCustomer(request)) !== null }),
      recover: async (request) => (request.prepared?.existed ? null : findCustomer(request)),
    },
  }),
  operation("get /customers/{id}", "getCustomer", "viewer", "Get a customer", {
    result: CUSTOMER,
    run: ({ id, backend }) => backend.getCustomer(id),
  }),
  operation("patch /customers/{id}", "changeCustomer", "operator", "Change the given properties of a customer", {
    body: z.strictObject({
      name: TEXT.exactOptional(),
      plan: TEXT.exactOptional(),
      monthlyRequests: MONTHLY_REQUESTS.nullable().exactOptional().describe("null: the plan's."),
      version: z.int().min(1).exactOptional().describe("Refuses the change if the customer has another version."),
    }),
    result: CUSTOMER,
    run: ({ id, body: { version = 0, ...settings }, backend }) => backend.changeCustomer(id, settings, version),
  }),
  operation("post /customers/{id}/disable", "disableCustomer", "operator", "Disable all keys of a customer", {
    body: REASON,
    result: CUSTOMER,
    run: ({ id, body, backend }) => backend.disableCustomer(id, body.reason),
  }),
  operation("post /customers/{id}/enable", "enableCustomer", "operator", "Enable a customer's keys", {
    result: CUSTOMER,
    run: ({ id, backend }) => backend.enableCustomer(id),
  }),
  operation(
    "get /customers/{id}/usage",
    "getCustomerUsage",
    "viewer",
    "Get a customer's requests in a month, by key and by day",
    {
      query: z.strictObject({ month: MONTH.exactOptional() }),
      result: CUSTOMER_USAGE,
      run: async ({ id, query, backend, nowMs }) => {
        const { id: customer } = await backend.getCustomer(id);
        const month = query.month ?? periodAt(nowMs).month;
        return { customer, month, ...(await backend.quotaUsage(customerEventId(customer), month)) };
      },
    },
  ),
];

const PLAN_OPERATIONS = [
  operation("get /plans", "getPlans", "viewer", "Get the plans", {
    result: PLANS,
    run: ({ backend }) => backend.plans(),
  }),
  operation("post /plans/check", "checkPlans", "viewer", "See what a plans file would change; changes nothing", {
    body: z.strictObject({ plans: z.record(z.string(), z.unknown()).describe("The content of the file.") }),
    result: PLANS_CHECK,
    run: ({ body: { plans }, backend }) => backend.checkPlans(JSON.stringify(plans)),
  }),
  operation("post /plans/confirm", "confirmPlans", "admin", "Use the plans file that is held", {
    body: z.strictObject({ hash: TEXT.describe("Of the held content.") }),
    result: PLANS,
    run: ({ body, backend }) => backend.confirmPlans(body.hash),
  }),
];

const OPERATOR_NAME = z.string().max(64);
const ROLE = z.enum(ROLES);

async function findOperator({ body, backend }: ApiRequest<unknown, { name: string }>) {
  const operators = await backend.listOperators();
  return operators.find(({ name, removedAt }) => name === body.name && removedAt === undefined) ?? null;
}

const OPERATOR_OPERATIONS = [
  operation("get /operators", "listOperators", "admin", "List operators", {
    result: pageOf("OperatorList", OPERATOR),
    run: async ({ backend }) => ({ items: await backend.listOperators(), next: null }),
  }),
  operation("post /operators", "addOperator", "admin", "Add an operator", {
    ...{ status: 201, secret: "token" },
    body: z.strictObject({ name: OPERATOR_NAME, role: ROLE, expiresAt: EXPIRY.exactOptional() }),
    result: ISSUED_OPERATOR,
    run: ({ body: { name, role, expiresAt = "" }, backend }) => backend.addOperator(name, role, expiresAt),
    once: {
      prepare: async (request) => ({ existed: (await findOperator(request)) !== null }),
      recover: async (request) => (request.prepared?.existed ? null : findOperator(request)),
    },
  }),
  operation("patch /operators/{name}", "changeOperator", "admin", "Change an operator's role", {
    body: z.strictObject({ role: ROLE }),
    result: OPERATOR,
    run: ({ id, body, backend }) => backend.setOperatorRole(id, body.role),
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
      run: ({ id, body: { expiresAt = "" }, backend }) => backend.replaceOperatorToken(id, expiresAt),
    },
  ),
  operation("delete /operators/{name}", "removeOperator", "admin", "Remove an operator", {
    result: OPERATOR,
    run: ({ id, backend }) => backend.removeOperator(id),
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
    run: async ({ query: { limit, cursor, ...filter }, backend }) => {
      const { entries, nextPageToken } = await backend.auditEntries(filter, { size: limit, token: cursor });
      return { items: entries, next: nextPageToken || null };
    },
  },
);

const DATA_OPERATION = operation("get /data", "getDataStatus", "viewer", "Get the status of the geo data", {
  result: DATA,
  run: async ({ backend }) => {
    if (backend.databases === null || backend.dataStatus === null)
      throw new ServiceError("unavailable", "the portal has no GEO_URL");
    const [{ databases }, status] = await Promise.all([backend.databases(), backend.dataStatus()]);
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
