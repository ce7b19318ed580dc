import {
  CLUSTER_ID,
  type KeyEvent,
  type KeyLogFollower,
  type KeyLogMark,
  type KeyPosition,
  PLANS_ID,
  type PlansChanged,
  type UpgradeFinished,
} from "@geolookup/shared/domain/key-event.ts";
import { createIssuedKeys, type IssuedKeys } from "./issued-keys.ts";

/**
 * All keys, customers and plan changes in memory, folded from the key log. While the log is reread from the start, the previous ones stay
 * in use.
 */
export interface KeyRegistry extends KeyLogFollower, Omit<IssuedKeys, "all" | "plansInUse" | "apply"> {
  /** All keys, in the order they were issued. Don't keep the array: it is replaced when the log is reread. */
  all(): IssuedKeys["all"];
  /** The position of the last applied event in the log. */
  position(): KeyPosition;
  /** The same, with the event. */
  mark(): KeyLogMark;
  plansInUse(): IssuedKeys["plansInUse"];
  /** All changes of the plans, oldest first. */
  planChanges(): readonly PlansChanged[];
  /** The last upgrade that every process has. */
  upgrade(): UpgradeFinished | undefined;
  /** The version of a key, of a customer by its event ID, of the plans or of the cluster. 0: there is none. */
  versionOf(eventId: string): number;
  /** Resolves with true once `reached()` is true, checked after every event; with false after `deadlineMs`. */
  until(reached: () => boolean, deadlineMs: number): Promise<boolean>;
}

/** The keys as of a position in the log. */
interface Projection {
  keys: IssuedKeys;
  planChanges: readonly PlansChanged[];
  upgrade: UpgradeFinished | undefined;
  epoch: string;
  sequence: number;
  /** Of the last applied event. */
  eventId: string;
}

export function createKeyRegistry(): KeyRegistry {
  let current = emptyProjection("");
  /** The keys being reread from the start of the log, until it has caught up. */
  let next: Projection | undefined;
  const waiting = new Set<() => void>();
  const checkWaiting = () => {
    for (const check of waiting) check();
  };

  return {
    restart: (epoch) => {
      next = emptyProjection(epoch);
    },
    apply: (event, sequence) => {
      const projection = next ?? current;
      const isDue = applyTo(projection, event);
      // In files, plan changes have a separate log and sequence 0 (`joinPlansLog`), so they don't move the position in the key log.
      if (sequence === 0) {
        checkWaiting();
        return isDue;
      }
      projection.sequence = sequence;
      projection.eventId = event.id;
      if (!next) checkWaiting();
      return isDue;
    },
    caughtUp: () => {
      if (!next) return;
      current = next;
      next = undefined;
      checkWaiting();
    },
    byId: (keyId) => current.keys.byId(keyId),
    bySha256: (keySha256) => current.keys.bySha256(keySha256),
    all: () => current.keys.all,
    indexOf: (keyId) => current.keys.indexOf(keyId),
    customer: (id) => current.keys.customer(id),
    customers: () => current.keys.customers(),
    customerChanges: () => current.keys.customerChanges(),
    indexesOf: (customerId) => current.keys.indexesOf(customerId),
    upgrade: () => current.upgrade,
    versionOf: (eventId) => {
      if (eventId === PLANS_ID) return current.planChanges.length;
      return (eventId === CLUSTER_ID ? current.upgrade?.version : current.keys.versionOf(eventId)) ?? 0;
    },
    position: () => ({ epoch: current.epoch, sequence: current.sequence }),
    mark: () => ({ epoch: current.epoch, sequence: current.sequence, eventId: current.eventId }),
    plansInUse: () => current.keys.plansInUse,
    planChanges: () => current.planChanges,
    until: (reached, deadlineMs) => {
      if (reached()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer);
          waiting.delete(check);
          resolve(result);
        };
        const check = () => {
          if (reached()) end(true);
        };
        const timer = setTimeout(() => end(false), deadlineMs);
        waiting.add(check);
      });
    },
  };
}

/** @returns whether the event follows the earlier ones of its key, its customer, the plans or the cluster. */
function applyTo(projection: Projection, event: KeyEvent): boolean {
  if (event.type === "PlansChanged") {
    if (event.version !== projection.planChanges.length + 1) return false;
    projection.planChanges = [...projection.planChanges, event];
    return true;
  }
  if (event.type === "UpgradeFinished") {
    if (event.version !== (projection.upgrade?.version ?? 0) + 1) return false;
    projection.upgrade = event;
    return true;
  }
  return projection.keys.apply(event);
}

function emptyProjection(epoch: string): Projection {
  return { keys: createIssuedKeys(), planChanges: [], upgrade: undefined, epoch, sequence: 0, eventId: "" };
}
