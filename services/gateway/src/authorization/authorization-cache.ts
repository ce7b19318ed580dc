import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Authorization, Authorizer, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { KeyFeed, KeyPosition } from "@geolookup/shared/domain/key-event.ts";
import { hasKeyShape } from "@geolookup/shared/domain/key-shape.ts";
import { decideOrigin } from "@geolookup/shared/domain/origin.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { Registry } from "@prometheus-io/client";
import { createCacheMetrics } from "./cache-metrics.ts";
import { type CacheState, createCacheState, isRevoked, type KeyStatus } from "./cache-state.ts";
import type { PositionedAuthorizer } from "./positioned-authorizer.ts";
import { createRefusedKeys, type RefusedKeys } from "./refused-keys.ts";

/** Keys whose authorization a gateway caches. */
export const MAX_CACHED_KEYS = 200_000;
/**
 * The delays before auth is asked again because it seems to be behind the key log. An unknown key with a valid signature may
 * just have been issued.
 */
const RETRY_DELAYS_MS = [10, 50];

/** How often auth nodes are asked how far they have read the key log, and whether plans or signing keys have changed. */
const CHECK_INTERVAL_MS = 1_000;

/** A refusal that is cached separately, and only for seconds. */
type Refusal = { outcome: "malformed_key" | "bad_signature" | "unknown_key" };
type Revocation = Extract<Authorization, { outcome: "revoked_key" }>;
type Lookup = { status: KeyStatus } | { refusal: Refusal; position: KeyPosition | null; rules: string };

/**
 * A cache of authorizations, by the SHA-256 of the key. It follows key events, so that revocations and changes of keys are
 * effective immediately, and keeps serving known keys while auth is unavailable. Grants, also ended ones, and revocations are kept. Keys that
 * auth refuses as `bad_signature` or `unknown_key` have a separate small cache (refused-keys.ts), since anyone can make up
 * any number of them. Concurrent first requests of a key share one call to auth.
 * @param options.clock monotonic, and running while the machine is suspended.
 * @param options.capacity number of keys, of about 450 bytes each: 90 MB at the default of 200,000.
 * @returns an Authorizer that responds synchronously for known keys.
 */
export function openAuthorizationCache(options: {
  authorizer: PositionedAuthorizer;
  feed: KeyFeed;
  clock: Clock;
  log: Logger;
  registry: Registry;
  capacity?: number;
  /** How often auth nodes are checked. */
  checkIntervalMs?: number;
}): Authorizer & AsyncDisposable {
  const { authorizer, feed, clock, log } = options;
  const metrics = createCacheMetrics(options.registry, {
    size: () => state.size(),
    isLive: () => state.isLive(),
    refusedKeys: () => refusedKeys.size(),
  });
  const state = createCacheState({ capacity: options.capacity ?? MAX_CACHED_KEYS, onEviction: metrics.evicted });
  const refusedKeys = createRefusedKeys();
  const inProgress = new Map<string, Promise<Lookup>>();

  const askOnce = async (keySha256: string, check: KeyCheck): Promise<Lookup & { isStale: boolean }> => {
    // Before the call, since the node may have looked at the log at any time during it.
    const askedAtMs = clock();
    const { authorization, position, rules = "", ageMs = 0 } = await authorizer.authorizeWithPosition(check);
    if ("grant" in authorization && authorization.grant)
      return state.fill(keySha256, authorization.grant, position, askedAtMs, { rules, ageMs });
    const refusal = authorization as Refusal | Revocation;
    if (refusal.outcome === "revoked_key")
      return state.fill(keySha256, { revokedKeyId: refusal.keyId ?? "" }, position, askedAtMs);
    const { outcome } = refusal;
    const isUnknown = outcome === "unknown_key";
    const kept = state.forget(keySha256, position, isUnknown ? ageMs : 0);
    if (kept && isUnknown) return { status: kept, isStale: true };
    return { refusal: { outcome }, position, rules, isStale: isUnknown };
  };
  const askWithRetries = async (keySha256: string, check: KeyCheck): Promise<Lookup> => {
    let askedAtMs = clock();
    let found = await askOnce(keySha256, check);
    for (const delayMs of RETRY_DELAYS_MS) {
      if (!found.isStale) break;
      await delay(delayMs);
      askedAtMs = clock();
      found = await askOnce(keySha256, check);
    }
    if ("refusal" in found) {
      const { refusal, position, rules } = found;
      const { outcome } = refusal;
      if (outcome === "unknown_key" && state.lacksEvents(position))
        throw new Error("auth doesn't know the key, but lacks events of the key log");
      if (outcome === "bad_signature" || outcome === "unknown_key")
        refusedKeys.add(keySha256, { outcome, position, rules, askedAtMs });
    }
    return found;
  };
  const ask = (keySha256: string, check: KeyCheck): Promise<Lookup> => {
    const running = inProgress.get(keySha256);
    if (running) return running;
    const asking = askWithRetries(keySha256, check).finally(() => inProgress.delete(keySha256));
    inProgress.set(keySha256, asking);
    return asking;
  };
  const refresh = async (keySha256: string, check: KeyCheck) => {
    try {
      await ask(keySha256, check);
    } catch (error) {
      log.debug({ err: error }, "cached authorization not refreshed; keeping it");
    }
  };

  let isReached = true;
  const checkingNodes = repeat(
    options.checkIntervalMs ?? CHECK_INTERVAL_MS,
    async () => {
      const { rules, ...nodes } = await authorizer.checkNodes();
      state.nodes(nodes);
      if (rules !== undefined) {
        state.rules(rules);
        refusedKeys.rules(rules);
      }
      if (nodes.isReached === isReached) return;
      isReached = nodes.isReached;
      if (isReached) log.info("an auth node with every key event is reachable");
      else log.warn("no auth node with every key event is reachable; known keys keep their authorizations");
    },
    log,
  );
  const following = followKeyEvents(feed, { state, refusedKeys }, clock, log);
  return {
    authorize: (check) => {
      // One character per byte: when many keys are in use, a short text takes fewer memory accesses to find.
      const keySha256 = hash("sha256", check.key, "binary");
      const cached = state.read(keySha256, clock());
      if (!cached) {
        if (!hasKeyShape(check.key)) return { outcome: "malformed_key" };
        const outcome = refusedKeys.read(keySha256, clock());
        if (outcome) {
          metrics.refused();
          return { outcome };
        }
        metrics.missed();
        return ask(keySha256, check).then((found) => authorizationOf(found, check));
      }
      metrics.hit();
      if (cached.refresh) void refresh(keySha256, check);
      return authorizationOf(cached, check);
    },
    [Symbol.asyncDispose]: async () => {
      await checkingNodes[Symbol.asyncDispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

/** Checks the origin of each request. A key's status is the same for all of them. */
function authorizationOf(found: Lookup, { origin, referer }: KeyCheck): Authorization {
  if ("refusal" in found) return found.refusal;
  const { status } = found;
  if (isRevoked(status)) return { outcome: "revoked_key", keyId: status.revokedKeyId || undefined };
  const { kind, origins } = status;
  const decision = decideOrigin({ kind, origins, origin, referer });
  if (decision.allowed) return { outcome: "granted", grant: status };
  return { outcome: "origin_not_allowed", grant: status, refusedOrigin: decision.refusedOrigin };
}

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
