import { type KeyLog, PLANS_ID } from "@geolookup/shared/domain/key-event.ts";

/**
 * One log of two files: changes of the plans are in a file of their own, because version 0.1 doesn't open a key log with events that
 * it doesn't know. On NATS, it skips them, so they are in one stream. They have the sequence 0 here.
 */
export function joinPlansLog(keys: KeyLog, plans: KeyLog): KeyLog {
  return {
    append: async (event) => {
      if (event.keyId !== PLANS_ID) return keys.append(event);
      await plans.append(event);
      return 0;
    },
    follow: async (follower) => {
      await keys.follow(follower);
      await plans.follow({
        restart: () => undefined,
        apply: (event) => follower.apply(event, 0),
        caughtUp: () => undefined,
      });
    },
    lacking: () => keys.lacking(),
    positionAgeMs: () => keys.positionAgeMs(),
    eventsOf: (keyId) => (keyId === PLANS_ID ? plans : keys).eventsOf(keyId),
    [Symbol.asyncDispose]: async () => {
      await using _keys = keys;
      await plans[Symbol.asyncDispose]();
    },
  };
}
