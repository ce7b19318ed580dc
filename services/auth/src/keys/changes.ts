import { randomUUID } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import {
  CLUSTER_ID,
  type KeyEvent,
  type KeyLog,
  type PlansChanged,
  type UpgradeFinished,
  VersionConflict,
} from "@geolookup/shared/domain/key-event.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { CustomerFact } from "./customer.ts";
import type { KeyFact } from "./key.ts";
import { type Decision, impossible } from "./key-input.ts";
import type { KeyRegistry } from "./key-registry.ts";

/** An event without its envelope. */
export type Fact =
  | KeyFact
  | CustomerFact
  | Pick<UpgradeFinished, "type" | "data">
  | Pick<PlansChanged, "type" | "data">;

/** Changes in the key log. */
export interface Changes {
  /**
   * Records what is decided, and decides again after a concurrent change: commands set absolute values. Resolves when this node has it.
   * @param eventId of a key, a customer, the plans or the cluster.
   * @param decide decides with the current state.
   * @param by the operator who makes the change.
   * @throws ServiceError the refusal; `precondition` while not every process would understand the event; `conflict`; `unavailable`
   */
  make(eventId: string, decide: (nowMs: number) => Decision<Fact>, by: string): Promise<void>;
  /** @throws ServiceError `precondition` while not every process would understand these events. */
  expectUnderstood(facts: readonly Fact[], by: string): Promise<void>;
  /**
   * Records that every process runs this version, unless that is recorded.
   * @throws ServiceError `unavailable`
   */
  finishUpgrade(version: string, by: string): Promise<UpgradeFinished>;
}

const ATTEMPTS = 10;
/** How long to wait for the registry to read a new event. */
const FOLLOW_DEADLINE_MS = 5_000;
/** The events that version 0.1 knows, besides KeyIssued without the properties of this version. */
const KNOWN_BEFORE: ReadonlySet<Fact["type"]> = new Set([
  ...(["KeyPlanChanged", "KeyOriginsChanged", "KeyLabelChanged", "KeyRevoked", "UpgradeFinished"] as const),
]);

/**
 * @param options.finishesUpgrades the version whose upgrade is recorded before the first event that needs it, because no other process can
 *   run another version. Absent: a person finishes upgrades.
 */
export function createChanges(options: {
  keyLog: Pick<KeyLog, "append">;
  registry: KeyRegistry;
  clock: Clock;
  finishesUpgrades?: string | undefined;
}): Changes {
  const { keyLog, registry, clock, finishesUpgrades } = options;

  const caughtUp = async (reached: () => boolean) => {
    if (!(await registry.until(reached, FOLLOW_DEADLINE_MS)))
      throw new ServiceError(
        "unavailable",
        "the key registry is behind the key log. Check whether the change was made before you try again",
      );
  };
  const make: Changes["make"] = async (eventId, decide, by) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const nowMs = clock();
      const version = registry.versionOf(eventId) + 1;
      const decision = decide(nowMs);
      if ("refusal" in decision) throw decision.refusal;
      const { fact } = decision;
      if (fact === null) return;
      if (needsUpgrade(fact)) {
        await expectUnderstood([fact], by);
        // The state may have changed meanwhile.
        continue;
      }
      const event = { id: randomUUID(), keyId: eventId, version, at: new Date(nowMs).toISOString(), by, ...fact };
      try {
        const sequence = await keyLog.append(event as KeyEvent);
        return await caughtUp(() => registry.position().sequence >= sequence);
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        await caughtUp(() => registry.versionOf(eventId) >= version);
      }
    }
    throw new ServiceError("conflict", `${eventId} keeps being modified concurrently. Try again`);
  };
  const needsUpgrade = (fact: Fact) => isNew(fact) && !registry.upgrade();
  const expectUnderstood: Changes["expectUnderstood"] = async (facts, by) => {
    if (!facts.some(needsUpgrade)) return;
    if (finishesUpgrades === undefined)
      throw impossible(
        "this needs version 0.3 in every process. When all of them run it, run `./geolookup upgrade --finish` once",
      );
    await finishUpgrade(finishesUpgrades, by);
  };
  const finishUpgrade: Changes["finishUpgrade"] = async (version, by) => {
    const isFinished = () => registry.upgrade()?.data.version === version;
    const fact = { type: "UpgradeFinished", data: { version } } as const;
    await make(CLUSTER_ID, () => ({ fact: isFinished() ? null : fact }), by);
    return registry.upgrade() as UpgradeFinished;
  };
  return { make, expectUnderstood, finishUpgrade };
}

/** Whether version 0.1 doesn't understand an event: it would serve a key that has expired, was disabled or ended. */
function isNew({ type, data }: Fact): boolean {
  if (type === "PlansChanged") return Object.values(data.plans).some(({ fields }) => typeof fields !== "string");
  if (type === "KeyIssued") return ["expiresAt", "customer", "metadata"].some((name) => Object.hasOwn(data, name));
  return !KNOWN_BEFORE.has(type);
}
