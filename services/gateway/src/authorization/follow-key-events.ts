import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { KeyFeed } from "@geolookup/shared/domain/key-feed.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { CacheState } from "./cache-state.ts";
import type { RefusedKeys } from "./refused-keys.ts";

/**
 * Applies key events to the authorization cache as they happen, so that revocations and changes of keys are effective within
 * a second. While the feed is lost, auth nodes confirm cached authorizations.
 * @param clock monotonic.
 * @returns its disposal stops following.
 */
export function followKeyEvents(
  feed: KeyFeed,
  cache: { state: CacheState; refusedKeys: RefusedKeys },
  clock: Clock,
  log: Logger,
): AsyncDisposable {
  const { state, refusedKeys } = cache;
  return feed.follow({
    event: (event, position) => {
      state.event(event, position);
      refusedKeys.event(event, position);
    },
    reset: (epoch, sequence) => {
      log.info({ epoch, sequence }, "authorization cache emptied: new key log");
      state.reset(epoch, sequence);
      refusedKeys.reset(epoch, sequence);
    },
    live: (isLive) => {
      if (isLive === state.isLive()) return;
      state.live(isLive);
      refusedKeys.live(isLive, clock());
      if (isLive) log.info("key event feed connected");
      else log.warn("key event feed lost; auth confirms cached authorizations after 25 s");
    },
    complete: (sequence, ageMs) => state.complete(sequence, clock() - ageMs),
  });
}
