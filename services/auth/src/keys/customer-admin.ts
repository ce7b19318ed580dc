import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { customerEventId } from "@geolookup/shared/domain/key-event.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Changes } from "./changes.ts";
import { type Customer, type CustomerCommand, decideCustomer } from "./customer.ts";
import { statusOf } from "./issued-key.ts";
import type { KeyRegistry } from "./key-registry.ts";

/**
 * Administration of customers. `by` names the operator in the history. Every method throws ServiceError, as KeyAdmin does.
 */
export interface CustomerAdmin {
  /** Adds, changes, disables or enables a customer. Repeating a change records nothing, but a customer is added only once. */
  change(id: string, command: CustomerCommand, by: string, expectedVersion?: number | null): Promise<Customer>;
  get(id: string): Customer;
  /** A page of the customers whose ID or name has a text, in the order in which they were added. @param request.after an ID. */
  list(request: { search: string; after: string | null; pageSize: number }): {
    customers: Customer[];
    lastId: string | null;
  };
  /** The number of all customers. */
  count(): number;
  /** How many keys a customer has, and how many of them are active. */
  keysOf(customer: Customer): { keys: number; activeKeys: number };
}

export function createCustomerAdmin(options: {
  registry: KeyRegistry;
  changes: Changes;
  plans: () => Plans;
  clock: Clock;
}): CustomerAdmin {
  const { registry, changes, plans, clock } = options;
  const get = (id: string) => findCustomer(registry, id);
  return {
    get,
    change: async (id, command, by, expectedVersion = null) => {
      if (command.type !== "AddCustomer") get(id);
      const decideNow = () => {
        const state = registry.customer(id);
        if (expectedVersion !== null && state?.version !== expectedVersion)
          throw new ServiceError(
            "conflict",
            `customer ${id} was changed: expected version ${expectedVersion}, found ${state?.version}. Reload it and try again`,
          );
        return decideCustomer(command, state, { planNames: [...plans().keys()] });
      };
      await changes.make(customerEventId(id), decideNow, by);
      return get(id);
    },
    list: ({ search, after, pageSize }) => {
      const part = search.trim().toLowerCase();
      const found: Customer[] = [];
      let isPast = after === null;
      if (after !== null) get(after);
      for (const customer of registry.customers().values()) {
        if (isPast && (customer.id.includes(part) || customer.name.toLowerCase().includes(part))) found.push(customer);
        if (found.length > pageSize) break;
        isPast ||= customer.id === after;
      }
      const customers = found.slice(0, pageSize);
      return { customers, lastId: found.length > pageSize ? (customers.at(-1)?.id ?? null) : null };
    },
    count: () => registry.customers().size,
    keysOf: (customer) => {
      const [all, indexes, nowMs] = [registry.all(), registry.indexesOf(customer.id), clock()];
      let activeKeys = 0;
      for (const index of indexes) {
        const key = all[index];
        if (key && statusOf(key, customer, nowMs) === "active") activeKeys += 1;
      }
      return { keys: indexes.length, activeKeys };
    },
  };
}

/** @throws ServiceError `not_found` */
export function findCustomer(registry: KeyRegistry, id: string): Customer {
  const customer = registry.customer(id);
  if (!customer) throw new ServiceError("not_found", `the customer ${JSON.stringify(id.slice(0, 64))} doesn't exist`);
  return customer;
}
