import {
  isKeyChange,
  type KeyChanged,
  type KeyLogFollower,
  type KeyLogMark,
  type KeyPosition,
  type PlansChanged,
} from "@geolookup/shared/domain/key-event.ts";
import { evolve, type IssuedKey, NO_KEY } from "./key.ts";

/**
 * All keys and plan changes in memory, folded from the key log. While the log is reread from the start, the previous keys stay in use.
 */
export interface KeyRegistry extends KeyLogFollower {
  byId(keyId: string): IssuedKey | undefined;
  /** @param keySha256 the SHA-256 of a full key, hexadecimal. */
  bySha256(keySha256: string): IssuedKey | undefined;
  /** All keys, in the order they were issued. Don't keep the array: it is replaced when the log is reread. */
  all(): readonly IssuedKey[];
  /** The place of a key in `all()`. */
  indexOf(keyId: string): number | undefined;
  /** The position of the last applied event in the log. */
  position(): KeyPosition;
  /** The same, with the event. */
  mark(): KeyLogMark;
  /** The plans of active keys, each with its number of keys. */
  plansInUse(): ReadonlyMap<string, number>;
  /** All changes of the plans, oldest first. */
  planChanges(): readonly PlansChanged[];
  /** Resolves with true once `reached()` is true, checked after every event; with false after `deadlineMs`. */
  until(reached: () => boolean, deadlineMs: number): Promise<boolean>;
}

/** The keys as of a position in the log. */
interface Projection {
  keys: IssuedKeys;
  planChanges: readonly PlansChanged[];
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
      const isDue =
        event.type === "PlansChanged"
          ? addPlans(projection, event)
          : !isKeyChange(event) || projection.keys.apply(event);
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

/** @returns whether the event follows the previous change of the plans. */
function addPlans(projection: Projection, event: PlansChanged): boolean {
  if (event.version !== projection.planChanges.length + 1) return false;
  projection.planChanges = [...projection.planChanges, event];
  return true;
}

function emptyProjection(epoch: string): Projection {
  return { keys: createIssuedKeys(), planChanges: [], epoch, sequence: 0, eventId: "" };
}

/** All keys, folded from the key log. */
export interface IssuedKeys {
  /** In the order of issue. A changed key is a new object in the same place. */
  all: readonly IssuedKey[];
  /** The place of a key in `all`. */
  indexOf(keyId: string): number | undefined;
  byId(keyId: string): IssuedKey | undefined;
  /** @param keySha256 the SHA-256 of a full key, hexadecimal. */
  bySha256(keySha256: string): IssuedKey | undefined;
  /** The plans of active keys, each with its number of keys. */
  plansInUse: ReadonlyMap<string, number>;
  /**
   * Applies the next event. Ignores an event with an unexpected version, or of a key that wasn't issued. A revocation is
   * applied whatever its version, so that nothing can undo it.
   * @returns whether the event had the expected version.
   */
  apply(event: KeyChanged): boolean;
}

export function createIssuedKeys(): IssuedKeys {
  const all: IssuedKey[] = [];
  const indexById = new Map<string, number>();
  const indexBySha256 = new Map<string, number>();
  const plansInUse = new Map<string, number>();

  const keyAt = (index: number | undefined) => (index === undefined ? undefined : all[index]);
  const countPlan = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status !== "active") return;
    const keys = (plansInUse.get(key.plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(key.plan);
    else plansInUse.set(key.plan, keys);
  };

  return {
    all,
    indexOf: (keyId) => indexById.get(keyId),
    byId: (keyId) => keyAt(indexById.get(keyId)),
    bySha256: (keySha256) => keyAt(indexBySha256.get(keySha256)),
    plansInUse,
    apply: (event) => {
      const index = indexById.get(event.keyId) ?? all.length;
      const before = all[index];
      const isExpected = event.version === (before?.version ?? 0) + 1;
      const isRevocation = event.type === "KeyRevoked" && before?.status === "active";
      if ((event.type === "KeyIssued") === (before !== undefined) || !(isExpected || isRevocation)) return false;
      const key = evolve(before ?? NO_KEY, event);
      all[index] = key;
      if (event.type === "KeyIssued") {
        indexById.set(key.keyId, index);
        indexBySha256.set(event.data.keySha256, index);
      }
      countPlan(before, -1);
      countPlan(key, 1);
      return isExpected;
    },
  };
}
