import { type CustomerView, customerFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { alignColumns, type Printed } from "../command-line.ts";
import { type CustomerCall, callAuth, callService, listCustomers, makeCall, openAuth } from "../keys/admin-client.ts";
import { quotaText } from "../keys/output.ts";
import { findService } from "../keys/service-address.ts";

/** Makes a call that returns the customer. @throws StartError, ServiceError */
export async function callForCustomer(environment: NodeJS.ProcessEnv, call: CustomerCall): Promise<Printed> {
  using service = openAuth(environment);
  const customer = customerFromWire(await makeCall(service, call));
  return { json: customer, text: customerText(customer) };
}

export async function list(environment: NodeJS.ProcessEnv, search: string): Promise<Printed> {
  using service = openAuth(environment);
  const customers = await listCustomers(service, search);
  return { json: customers, text: customerTable(customers, search !== "") };
}

/** Shows a customer's requests in a month. */
export async function showUsage(environment: NodeJS.ProcessEnv, id: string, month: string): Promise<Printed> {
  // Usage reports 0 for any customer; only auth knows whether it exists.
  await callAuth(environment, KEY_ADMIN.GetCustomer, { id });
  const request = { quotaId: `customer_${id}`, month };
  const { total = 0, ...usage } = await callService(findService("usage", environment), USAGE.GetQuotaMonth, request);
  const days = usage.days.map(({ day = "", requests = 0 }) => ({ day, requests }));
  const keys = usage.keys.map(({ keyId = "", total: requests = 0 }) => ({ keyId, total: requests }));
  const rows = [...days.map(({ day, requests }) => [day, requests]), [month, total]];
  const byKey = keys.map(({ keyId, total: requests }) => [keyId, requests]);
  const table = (rows: (string | number)[][]) => alignColumns(rows.map((row) => row.map(String)));
  const text = `${table([["DAY", "REQUESTS"], ...rows])}\n${table([["KEY ID", "REQUESTS"], ...byKey])}`;
  return { json: { id, month, total, days, keys }, text };
}

function customerText(customer: CustomerView): string {
  const { disabledAt, disabledReason, quota } = customer;
  return alignColumns([
    ["customer", customer.id],
    ["name", customer.name || "-"],
    ["plan", customer.plan],
    ...(quota ? [["quota", `${quotaText(quota)}${customer.monthlyRequests === undefined ? "" : " (its own)"}`]] : []),
    ["status", disabledAt === undefined ? customer.status : `${customer.status} since ${disabledAt}`],
    ...(disabledReason ? [["reason", disabledReason]] : []),
    ["keys", `${customer.keys} (${customer.activeKeys} active)`],
    ["added", customer.createdAt],
    ["version", String(customer.version)],
  ]);
}

function customerTable(customers: readonly CustomerView[], isFiltered: boolean): string {
  if (customers.length === 0) return isFiltered ? "No customer matches.\n" : "There are no customers yet.\n";
  return alignColumns([
    ["CUSTOMER", "PLAN", "REQUESTS A MONTH", "STATUS", "KEYS", "ACTIVE", "ADDED", "NAME"],
    ...customers.map(({ id, plan, quota, status, keys, activeKeys, createdAt, name }) => [
      ...[id, plan, quota ? String(quota.monthlyRequests) : "-", status, String(keys), String(activeKeys)],
      ...[createdAt.slice(0, 10), name],
    ]),
  ]);
}
