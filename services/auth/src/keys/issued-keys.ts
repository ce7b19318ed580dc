import {
  type CustomerChanged,
  customerEventId,
  isKeyChange,
  type KeyChanged,
} from "@geolookup/shared/domain/key-event.ts";
import { type Customer, evolveCustomer } from "./customer.ts";
import type { IssuedKey } from "./issued-key.ts";
import { evolve, NO_KEY, successorOf } from "./key.ts";

const EVENT_PREFIX = customerEventId("");

/** All keys and customers, folded from the key log. */
export interface IssuedKeys {
  /** In the order of issue. A changed key is a new object in the same place. */
  all: readonly IssuedKey[];
  /** The place of a key in `all`. */
  indexOf(keyId: string): number | undefined;
  byId(keyId: string): IssuedKey | undefined;
  /** @param keySha256 the SHA-256 of a full key, hexadecimal. */
  bySha256(keySha256: string): IssuedKey | undefined;
  customer(id: string): Customer | undefined;
  /** All customers by ID, in the order in which they were added. */
  customers(): ReadonlyMap<string, Customer>;
  /** Grows whenever a customer is changed, disabled or enabled. */
  customerChanges(): number;
  /** The places of a customer's keys in `all`, ascending. */
  indexesOf(customerId: string): readonly number[];
  /** The version of a key, or of a customer by its event ID. */
  versionOf(eventId: string): number | undefined;
  /** The plans of customers and of keys that aren't revoked, each with the number of those keys. */
  plansInUse: ReadonlyMap<string, number>;
  /**
   * Applies the next event. Ignores an event with an unexpected version, or of a key that wasn't issued. A revocation is
   * applied whatever its version, so that nothing can undo it.
   * @returns whether the event had the expected version.
   */
  apply(event: KeyChanged | CustomerChanged): boolean;
}

export function createIssuedKeys(): IssuedKeys {
  const all: IssuedKey[] = [];
  const indexById = new Map<string, number>();
  const indexBySha256 = new Map<string, number>();
  const plansInUse = new Map<string, number>();
  const customers = new Map<string, Customer>();
  const customersOfPlans = new Map<string, number>();
  const indexesByCustomer = new Map<string, number[]>();
  let customerChanges = 0;

  const keyAt = (index: number | undefined) => (index === undefined ? undefined : all[index]);
  const count = (plan: string, change: { keys?: number; customers?: number }) => {
    const keys = (plansInUse.get(plan) ?? 0) + (change.keys ?? 0);
    const users = (customersOfPlans.get(plan) ?? 0) + (change.customers ?? 0);
    if (change.customers) customersOfPlans.set(plan, users);
    if (keys === 0 && users === 0) plansInUse.delete(plan);
    else plansInUse.set(plan, keys);
  };
  const set = (index: number, key: IssuedKey, keySha256?: string) => {
    const before = all[index];
    all[index] = key;
    if (keySha256 !== undefined) {
      indexById.set(key.keyId, index);
      indexBySha256.set(keySha256, index);
    }
    if (before?.status === "active") count(before.plan, { keys: -1 });
    if (key.status === "active") count(key.plan, { keys: 1 });
    if (before?.customer === key.customer) return;
    const left = before?.customer === undefined ? undefined : indexesByCustomer.get(before.customer);
    left?.splice(placeIn(left, index), 1);
    if (key.customer === undefined) return;
    const joined = indexesByCustomer.get(key.customer);
    if (joined) joined.splice(placeIn(joined, index), 0, index);
    else indexesByCustomer.set(key.customer, [index]);
  };

  const applyToCustomer = (event: CustomerChanged) => {
    const id = event.keyId.slice(EVENT_PREFIX.length);
    const before = customers.get(id);
    const isFirst = event.type === "CustomerAdded";
    if (event.version !== (before?.version ?? 0) + 1 || isFirst !== (before === undefined)) return false;
    const customer = evolveCustomer(id, before, event);
    customers.set(id, customer);
    if (before) count(before.plan, { customers: -1 });
    count(customer.plan, { customers: 1 });
    if (!isFirst) customerChanges += 1;
    return true;
  };

  return {
    all,
    indexOf: (keyId) => indexById.get(keyId),
    byId: (keyId) => keyAt(indexById.get(keyId)),
    bySha256: (keySha256) => keyAt(indexBySha256.get(keySha256)),
    customer: (id) => customers.get(id),
    customers: () => customers,
    customerChanges: () => customerChanges,
    indexesOf: (customerId) => indexesByCustomer.get(customerId) ?? [],
    versionOf: (eventId) => {
      const isCustomer = eventId.startsWith(EVENT_PREFIX);
      return (isCustomer ? customers.get(eventId.slice(EVENT_PREFIX.length)) : keyAt(indexById.get(eventId)))?.version;
    },
    plansInUse,
    apply: (event) => {
      if (!isKeyChange(event)) return applyToCustomer(event);
      const index = indexById.get(event.keyId) ?? all.length;
      const before = all[index];
      const isExpected = event.version === (before?.version ?? 0) + 1;
      const isRevocation = event.type === "KeyRevoked" && before?.status === "active";
      if ((event.type === "KeyIssued") === (before !== undefined) || !(isExpected || isRevocation)) return false;
      if (event.type === "KeyRotated" && indexById.has(event.data.successor.keyId)) return false;
      set(index, evolve(before ?? NO_KEY, event), event.type === "KeyIssued" ? event.data.keySha256 : undefined);
      if (before && event.type === "KeyRotated")
        set(all.length, successorOf(before, event), event.data.successor.keySha256);
      return isExpected;
    },
  };
}

/** Where an index is in an ascending list, or belongs. Usually that is the end. */
function placeIn(indexes: readonly number[], index: number): number {
  if (index > (indexes.at(-1) ?? -1)) return indexes.length;
  let [low, high] = [0, indexes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indexes[middle] as number) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
