import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { customerEventId, type KeyEvent, type KeyPosition } from "@geolookup/shared/domain/key-event.ts";
import { decidedAtMs } from "@geolookup/shared/domain/key-log-epoch.ts";
import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import { LRUCache } from "lru-cache";
import { createRecentKeyEvents } from "./recent-key-events.ts";

/**
 * How long a cached authorization is used without a confirmation that no event has changed it: from the key event feed, which confirms
 * all of them every second, or from an auth node that has every event. Within another 5 s, auth is asked, so that a change takes
 * effect within 30 s.
 */
const MAX_UNCONFIRMED_MS = 25_000;
/**
 * A key's use is recorded at most this often: moving a key to the front of the LRU list takes about ten memory accesses. With 30 s and
 * 100,000 keys in use, that was a tenth of what they cost a gateway.
 */
const USE_INTERVAL_S = 300;
/** How often a cached authorization with outdated rules is refreshed: auth nodes don't all change at once. */
const REFRESH_INTERVAL_MS = 1_000;

export type EvictionReason = "event" | "refused" | "epoch" | "capacity";

/** What is known about a key: its grant, which may have ended, or that it is revoked. */
export type KeyStatus = Grant | Revoked;

/** That a key is revoked, and its ID; empty if auth didn't say it. */
export interface Revoked {
  revokedKeyId: string;
}

export function isRevoked(status: KeyStatus): status is Revoked {
  return "revokedKeyId" in status;
}

/** The status to use, and whether it may be outdated, so that auth should be asked again. */
export interface Filled {
  status: KeyStatus;
  isStale: boolean;
}

/**
 * The cached authorizations of a gateway: no I/O, no clock. Times are milliseconds of one clock,
 * sequences those of the key log.
 */
export interface CacheState {
  /** The cached status, and whether to refresh it in the background; undefined: ask auth. */
  read(keySha256: string, nowMs: number): { status: KeyStatus; refresh: boolean } | undefined;
  /**
   * Takes auth's response. A newer event takes precedence over it, and a revocation is final.
   * @param source.ageMs how long ago the auth node had every event. Infinite: it is behind others, so that it confirms nothing.
   */
  fill(
    keySha256: string,
    response: KeyStatus,
    position: KeyPosition | null,
    nowMs: number,
    source?: { rules?: string; ageMs?: number },
  ): Filled;
  /**
   * Whether an auth node at this position lacks events that this gateway knows of: it is behind, or follows a log that no one has
   * decided on. Then it can't tell that a key is unknown.
   */
  lacksEvents(position: KeyPosition | null): boolean;
  /** Auth doesn't know the key: drops its grant, unless that is newer. @returns the grant if it stays. */
  forget(keySha256: string, position: KeyPosition | null, ageMs?: number): KeyStatus | undefined;
  /** Takes the next event of the key log. */
  event(event: Pick<KeyEvent, "type" | "keyId">, position: KeyPosition): void;
  /** The key log was replaced; every event after `sequence` will follow. */
  reset(epoch: string, sequence: number): void;
  /**
   * Takes the name of auth's current plans and signing keys. Authorizations made under different ones are refreshed when they are next
   * used, since changes of quotas and signing keys cause no key events.
   */
  rules(name: string): void;
  /** Whether the key event feed is live. */
  live(isLive: boolean): void;
  isLive(): boolean;
  /** The feed had every event up to `sequence` at this time, which was the end of the log as far as its server knew. */
  complete(sequence: number, atMs: number): void;
  /** Takes how far auth nodes have read the log, and whether one is reached that has every event. */
  nodes(state: { highest: KeyPosition | null; isReached: boolean }): void;
  size(): number;
}

/** What every request reads comes first, so that it is next to each other in memory. */
interface Entry {
  grant: Grant;
  /** The same string object as the current rules if they are equal: two references are compared without reading the texts. */
  rules: string;
  /** Whole seconds, since an object contains small whole numbers, but only refers to others. */
  usedAtS: number;
  sequence: number;
  /** As of when auth confirmed the grant. */
  confirmedAtMs: number;
  refreshAtMs: number;
}

/**
 * @param options.capacity number of keys. The least recently used is evicted, to within five minutes.
 * @param options.onEviction called when grants are dropped.
 */
export function createCacheState(options: {
  capacity: number;
  onEviction: (reason: EvictionReason, count: number) => void;
}): CacheState {
  const { capacity, onEviction } = options;
  /** By SHA-256. Refused keys are cached elsewhere: anyone can make them up, so they would evict valid ones. */
  const grants = new Map<string, Entry>();
  /** The SHA-256 of these keys by ID, in the order of last use. Most requests only read `grants`, which is faster. */
  const shaOfKey = new LRUCache<string, string>({
    ...maxEntries(capacity),
    dispose: (keySha256, _keyId, reason) => {
      if (reason !== "evict") return;
      grants.delete(keySha256);
      onEviction("capacity", 1);
    },
  });
  const revoked = new LRUCache<string, Revoked>(maxEntries(capacity));
  const recent = createRecentKeyEvents();
  let epoch: string | null = null;
  /** Of the last event, or of the end of the log when following began. */
  let lastSequence = 0;
  let currentRules = "";
  let live = false;
  /** As of when the feed confirmed all grants. */
  let allConfirmedAtMs = Number.NEGATIVE_INFINITY;
  let highest: KeyPosition | null = null;
  /** Whether an auth node can confirm grants. */
  let isAuthReached = true;

  /** The last event of a key, its customer or the customer whose quota it has until the end of the month; possibly later than that. */
  const lastChangeOf = ({ keyId, customer, quota, nextQuota }: Grant) =>
    Math.max(
      recent.lastOf(keyId),
      customer === undefined ? 0 : recent.lastOf(customerEventId(customer)),
      quota && nextQuota ? recent.lastOf(quota.id) : 0,
    );
  const isOfThisLog = (position: KeyPosition | null): position is KeyPosition =>
    position !== null && (epoch === null || position.epoch === epoch);
  const lacksEvents = (position: KeyPosition | null) => {
    if (position === null || epoch === null || lastSequence === 0) return false;
    if (position.epoch === epoch) return position.sequence < lastSequence;
    return decidedAtMs(position.epoch) <= decidedAtMs(epoch);
  };
  const drop = (keySha256: string, reason: EvictionReason) => {
    const entry = grants.get(keySha256);
    if (!entry) return;
    grants.delete(keySha256);
    shaOfKey.delete(entry.grant.keyId);
    onEviction(reason, 1);
  };
  const revoke = (keySha256: string, status: Revoked, reason: EvictionReason): Filled => {
    drop(keySha256, reason);
    revoked.set(keySha256, status);
    return { status, isStale: false };
  };
  const reset = (newEpoch: string, sequence: number) => {
    epoch = newEpoch;
    lastSequence = sequence;
    if (grants.size > 0) onEviction("epoch", grants.size);
    grants.clear();
    shaOfKey.clear();
    revoked.clear();
    recent.restart(sequence);
  };

  return {
    read: (keySha256, nowMs) => {
      const entry = grants.get(keySha256);
      if (!entry) {
        const status = revoked.get(keySha256);
        return status && { status, refresh: false };
      }
      // An event of a key drops its grant. An event of a customer would have to find those of its keys.
      if ((entry.grant.customer ?? entry.grant.nextQuota) !== undefined && entry.sequence < lastChangeOf(entry.grant)) {
        drop(keySha256, "event");
        return undefined;
      }
      const unconfirmedMs = nowMs - MAX_UNCONFIRMED_MS;
      const isUnconfirmed = unconfirmedMs >= allConfirmedAtMs && unconfirmedMs >= entry.confirmedAtMs;
      if (isUnconfirmed && isAuthReached) return undefined;
      const nowS = Math.floor(nowMs / 1_000);
      if (nowS - entry.usedAtS >= USE_INTERVAL_S) {
        entry.usedAtS = nowS;
        shaOfKey.get(entry.grant.keyId);
      }
      const isOutdated = entry.rules !== currentRules;
      const refresh = (isOutdated || isUnconfirmed) && nowMs >= entry.refreshAtMs;
      if (refresh) entry.refreshAtMs = nowMs + (isOutdated ? REFRESH_INTERVAL_MS : MAX_UNCONFIRMED_MS);
      return { status: entry.grant, refresh };
    },
    fill: (keySha256, response, position, nowMs, { rules = "", ageMs = 0 } = {}) => {
      const known = revoked.get(keySha256);
      if (known) return { status: known, isStale: false };
      if (isRevoked(response))
        return isOfThisLog(position) ? revoke(keySha256, response, "refused") : { status: response, isStale: false };
      const { keyId } = response;
      if (recent.isRevoked(keyId)) return revoke(keySha256, { revokedKeyId: keyId }, "event");
      if (!isOfThisLog(position)) return { status: response, isStale: live && position !== null };
      const { sequence } = position;
      if (sequence < lastChangeOf(response)) return { status: response, isStale: true };
      const cached = grants.get(keySha256);
      if (cached && cached.sequence > sequence) return { status: cached.grant, isStale: false };
      grants.set(keySha256, {
        grant: response,
        rules: rules === currentRules ? currentRules : rules,
        usedAtS: Math.floor(nowMs / 1_000),
        sequence,
        confirmedAtMs: Math.max(nowMs - ageMs, cached?.confirmedAtMs ?? Number.NEGATIVE_INFINITY),
        refreshAtMs: ageMs === Number.POSITIVE_INFINITY ? nowMs + MAX_UNCONFIRMED_MS : nowMs,
      });
      shaOfKey.set(response.keyId, keySha256);
      return { status: response, isStale: false };
    },
    lacksEvents,
    forget: (keySha256, position, ageMs = 0) => {
      const cached = grants.get(keySha256);
      // Sequences of different logs can't be compared: drop the grant, so that auth is asked again.
      const isNewer = isOfThisLog(position) ? position.sequence >= (cached?.sequence ?? 0) : !lacksEvents(position);
      if (isNewer && ageMs !== Number.POSITIVE_INFINITY) drop(keySha256, "refused");
      return grants.get(keySha256)?.grant;
    },
    event: ({ type, keyId }, position) => {
      if (position.epoch !== epoch) reset(position.epoch, position.sequence - 1);
      lastSequence = position.sequence;
      recent.event(keyId, position.sequence, type === "KeyRevoked");
      const keySha256 = shaOfKey.peek(keyId);
      if (keySha256 === undefined) return;
      if (type === "KeyRevoked") revoke(keySha256, { revokedKeyId: keyId }, "event");
      else if ((grants.get(keySha256)?.sequence ?? 0) < position.sequence) drop(keySha256, "event");
    },
    reset,
    rules: (name) => {
      if (name !== currentRules) currentRules = name;
    },
    live: (isLive) => {
      live = isLive;
    },
    isLive: () => live,
    complete: (sequence, atMs) => {
      // Its server may be cut off from the one that has the newest events.
      if (highest !== null && isOfThisLog(highest) && sequence < highest.sequence) return;
      allConfirmedAtMs = Math.max(allConfirmedAtMs, atMs);
    },
    nodes: (nodes) => {
      highest = nodes.highest;
      isAuthReached = nodes.isReached;
    },
    size: () => grants.size + revoked.size,
  };
}
