import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import { LRUCache } from "lru-cache";
import { createHeardKeys } from "./recent-key-events.ts";

/**
 * How long a verdict lives once the key log is known not to be heard. The design's 30 s (section 7)
 * begin earlier: a connection that fell silent is found out within 4 s.
 */
const UNHEARD_LIFE_MS = 25_000;
/**
 * Uses of a key are noted no closer together than this: to move it to the front of those used last is a handful of
 * fetches from memory more, of many keys at random.
 */
const USE_NOTED_EVERY_MS = 30_000;
/** How often a verdict by other rules is asked for anew while it goes on being served: not all auth nodes change at once. */
const REFRESH_INTERVAL_MS = 1_000;

export type EvictionReason = "event" | "refused" | "epoch" | "capacity";

/** What is known of a key: its grant, or that it is revoked. */
export type Known = Grant | "revoked";

/** Whether what is known may be used, or is older than the key log and better asked for again. */
export interface Filled {
  known: Known;
  isOld: boolean;
}

/**
 * What a gateway knows of keys, and for how long (design, section 6 "Verdicts"): no I/O, no clock.
 * Times are milliseconds of one clock, sequences those of the key log.
 */
export interface VerdictState {
  /** What may be answered now, and whether to ask for it anew beside that; undefined: auth must be asked. */
  read(keySha256: string, nowMs: number): { known: Known; refresh: boolean } | undefined;
  /** Takes auth's word on a key and says what holds: a newer event wins, and revoked is for ever. */
  fill(keySha256: string, answer: Known, position: KeyPosition | null, nowMs: number, rules?: string): Filled;
  /** Takes auth's word that it knows no such key. Nothing is kept of that, and no grant that is older or of another log. */
  forget(keySha256: string, position: KeyPosition | null): void;
  /** The next event of the key log. */
  event(event: Pick<KeyEvent, "type" | "keyId">, position: KeyPosition): void;
  /** The key log is another one, of which every event after `sequence` will be told. */
  reset(epoch: string, sequence: number): void;
  /**
   * The plans and signing keys that auth goes by now have this name. Verdicts by other ones are
   * renewed as they are used: no key event tells of a plan's new quota, or of a signing key that was
   * taken off the ring.
   */
  rules(name: string): void;
  live(isLive: boolean, nowMs: number): void;
  isLive(): boolean;
  size(): number;
}

interface Entry {
  grant: Grant;
  sequence: number;
  filledAtMs: number;
  rules: string;
  refreshAtMs: number;
  useNotedAtMs: number;
}

/**
 * @param options.capacity keys held at once, the least recently used going first, to about half a minute.
 * @param options.onEviction told of every grant that is dropped before its time.
 */
export function createVerdictState(options: {
  capacity: number;
  onEviction: (reason: EvictionReason, count: number) => void;
}): VerdictState {
  const { capacity, onEviction } = options;
  /** By SHA-256. Verdicts that refuse a key are not here: bad signatures are free to make, so they would push out the good. */
  const grants = new LRUCache<string, Entry>({
    max: capacity,
    dispose: ({ grant }, keySha256, reason) => {
      if (reason !== "evict") return;
      if (shaOfKey.get(grant.keyId) === keySha256) shaOfKey.delete(grant.keyId);
      onEviction("capacity", 1);
    },
  });
  const shaOfKey = new Map<string, string>();
  const revoked = new LRUCache<string, true>({ max: capacity });
  const heard = createHeardKeys();
  let epoch: string | null = null;
  let currentRules = "";
  let live = false;
  let lostAtMs = Number.NEGATIVE_INFINITY;

  const isOfThisLog = (position: KeyPosition | null): position is KeyPosition =>
    position !== null && (epoch === null || position.epoch === epoch);
  const drop = (keySha256: string, reason: EvictionReason) => {
    const entry = grants.peek(keySha256);
    if (!entry) return;
    grants.delete(keySha256);
    shaOfKey.delete(entry.grant.keyId);
    onEviction(reason, 1);
  };
  const revoke = (keySha256: string, reason: EvictionReason): Filled => {
    drop(keySha256, reason);
    revoked.set(keySha256, true);
    return { known: "revoked", isOld: false };
  };
  const reset = (newEpoch: string, sequence: number) => {
    epoch = newEpoch;
    if (grants.size > 0) onEviction("epoch", grants.size);
    grants.clear();
    shaOfKey.clear();
    revoked.clear();
    heard.restart(sequence);
  };

  return {
    read: (keySha256, nowMs) => {
      const entry = grants.peek(keySha256);
      if (!entry) return revoked.get(keySha256) ? { known: "revoked", refresh: false } : undefined;
      if (!live && nowMs >= Math.max(lostAtMs, entry.filledAtMs) + UNHEARD_LIFE_MS) return undefined;
      if (nowMs - entry.useNotedAtMs >= USE_NOTED_EVERY_MS) {
        entry.useNotedAtMs = nowMs;
        grants.get(keySha256);
      }
      const refresh = entry.rules !== currentRules && nowMs >= entry.refreshAtMs;
      if (refresh) entry.refreshAtMs = nowMs + REFRESH_INTERVAL_MS;
      return { known: entry.grant, refresh };
    },
    fill: (keySha256, answer, position, nowMs, rules = "") => {
      if (revoked.has(keySha256)) return { known: "revoked", isOld: false };
      if (answer === "revoked")
        return isOfThisLog(position) ? revoke(keySha256, "refused") : { known: answer, isOld: false };
      if (heard.isRevoked(answer.keyId)) return revoke(keySha256, "event");
      if (!isOfThisLog(position)) return { known: answer, isOld: live && position !== null };
      const { sequence } = position;
      if (sequence < heard.lastOf(answer.keyId)) return { known: answer, isOld: true };
      const held = grants.peek(keySha256);
      if (held && held.sequence > sequence) return { known: held.grant, isOld: false };
      grants.set(keySha256, {
        grant: answer,
        sequence,
        filledAtMs: nowMs,
        rules,
        refreshAtMs: nowMs,
        useNotedAtMs: nowMs,
      });
      shaOfKey.set(answer.keyId, keySha256);
      return { known: answer, isOld: false };
    },
    forget: (keySha256, position) => {
      const held = grants.peek(keySha256);
      // Sequences of another log say nothing about which is newer: auth is asked again rather than believed less.
      if (held && (!isOfThisLog(position) || position.sequence >= held.sequence)) drop(keySha256, "refused");
    },
    event: ({ type, keyId }, position) => {
      if (position.epoch !== epoch) reset(position.epoch, position.sequence - 1);
      heard.event(keyId, position.sequence, type === "KeyRevoked");
      const keySha256 = shaOfKey.get(keyId);
      if (keySha256 === undefined) return;
      if (type === "KeyRevoked") revoke(keySha256, "event");
      else if ((grants.peek(keySha256)?.sequence ?? 0) < position.sequence) drop(keySha256, "event");
    },
    reset,
    rules: (name) => {
      currentRules = name;
    },
    live: (isLive, nowMs) => {
      if (live && !isLive) lostAtMs = nowMs;
      live = isLive;
    },
    isLive: () => live,
    size: () => grants.size + revoked.size,
  };
}
