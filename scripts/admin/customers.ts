import { periodAt } from "@geolookup/shared/domain/period.ts";
import type { Customer__Output as WireCustomer } from "@geolookup/shared/generated/geolookup/auth/v1/Customer.ts";
import { type CustomerView, customerFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { Method } from "@geolookup/shared/runtime/grpc/client.ts";
import { KEY_ADMIN, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { alignColumns } from "../columns.ts";
import { type CommandContext, printResult } from "../command-line.ts";
import { callService, type OpenedService, openService } from "../keys/admin-client.ts";
import { quotaText } from "../keys/output.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";

const PAGE_SIZE = 1_000;

type CustomerMethod = "AddCustomer" | "GetCustomer" | "ChangeCustomer" | "DisableCustomer" | "EnableCustomer";
type RequestOf<Called> = Called extends Method<infer Request, WireCustomer> ? Request : never;

/** A method that returns the customer, and its request; or what else to show. */
export type CustomerCommand =
  | { [Name in CustomerMethod]: { method: Name; request: RequestOf<(typeof KEY_ADMIN)[Name]> } }[CustomerMethod]
  | { method: "ListCustomers"; search: string }
  | { method: "GetQuotaMonth"; id: string; month: string | undefined };

/** Runs one command of `customers`. @throws StartError, ServiceError */
export async function runCustomers(context: CommandContext, command: CustomerCommand, asJson = false): Promise<number> {
  const address = findService("auth", context.environment);
  printResult(context, await perform(address, command, context.environment), asJson);
  return 0;
}

async function perform(address: ServiceAddress, command: CustomerCommand, environment: NodeJS.ProcessEnv) {
  switch (command.method) {
    case "ListCustomers": {
      using service = openService(address);
      const customers = await listCustomers(service, command.search);
      return { json: customers, text: customerTable(customers, command.search !== "") };
    }
    case "GetQuotaMonth": {
      const { id, month = periodAt(Date.now()).month } = command;
      // Usage reports 0 for any customer; only auth knows whether it exists.
      await callService(address, KEY_ADMIN.GetCustomer, { id });
      const request = { quotaId: `customer_${id}`, month };
      const { total = 0, ...usage } = await callService(
        findService("usage", environment),
        USAGE.GetQuotaMonth,
        request,
      );
      const days = usage.days.map(({ day = "", requests = 0 }) => ({ day, requests }));
      const keys = usage.keys.map(({ keyId = "", total: requests = 0 }) => ({ keyId, total: requests }));
      const rows = [...days.map(({ day, requests }) => [day, requests]), [month, total]];
      const byKey = keys.map(({ keyId, total: requests }) => [keyId, requests]);
      const table = (rows: (string | number)[][]) => alignColumns(rows.map((row) => row.map(String)));
      const text = `${table([["DAY", "REQUESTS"], ...rows])}\n${table([["KEY ID", "REQUESTS"], ...byKey])}`;
      return { json: { id, month, total, days, keys }, text };
    }
    default: {
      const method = KEY_ADMIN[command.method] as Method<object, WireCustomer>;
      const customer = customerFromWire(await callService(address, method, command.request));
      return { json: customer, text: customerText(customer) };
    }
  }
}

/** Lists the customers that match, page by page. */
export async function listCustomers(service: OpenedService, search: string): Promise<CustomerView[]> {
  const customers: CustomerView[] = [];
  let pageToken = "";
  do {
    const page = await service.call(KEY_ADMIN.ListCustomers, { search, pageSize: PAGE_SIZE, pageToken });
    customers.push(...page.customers.map(customerFromWire));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return customers;
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
