import type { KeyEvent, KeyPosition } from "@geolookup/shared/domain/key-event.ts";
import { LRUCache } from "lru-cache";

/** Keys held at once, about 300 bytes each. Good keys are held elsewhere, so bad ones can't push them out. */
export const MAX_REFUSED_KEYS = 10_000;
/** How long a refusal is valid while the key event feed is live. */
export const MAX_AGE_MS = 10_000;
/** How long it is valid without a live feed. */
export const MAX_AGE_WITHOUT_FEED_MS = 1_000;

export type RefusedOutcome = "bad_signature" | "unknown_key";

/** A refusal as auth gave it. */
export interface Refused {
  outcome: RefusedOutcome;
  /** How far auth had read the key log; null if auth sent no position. */
  position: KeyPosition | null;
  /** Names the plans and signing keys that auth used; empty if auth sent no name. */
  rules: string;
  /** When auth was asked. */
  askedAtMs: number;
}

/**
 * Keys that auth refused, by their SHA-256 as a latin1 string. It does no I/O and reads no clock: callers pass the time in milliseconds,
 * always from the same clock. A refusal is cached only if no later event could have made it wrong, and only for a few seconds.
 */
export interface RefusedKeys {
  /** The outcome if it is still valid; undefined: ask auth. */
  read(keySha256: string, nowMs: number): RefusedOutcome | undefined;
  add(keySha256: string, refused: Refused): void;
  /** Takes the next event of the key log. A newly issued key is no longer refused. */
  event(event: Pick<KeyEvent, "type" | "data">, position: KeyPosition): void;
  /** The key log was replaced; every event after `sequence` will follow. */
  reset(epoch: string, sequence: number): void;
  /** Takes the name of auth's current plans and signing keys. Refusals made under different ones end. */
  rules(name: string): void;
  live(isLive: boolean, nowMs: number): void;
  size(): number;
}

/** The SHA-256 (hex) of the key that an event issues. */
function issuedBy({ type, data }: Pick<KeyEvent, "type" | "data">): string | undefined {
  if (type === "KeyIssued") return (data as EventData<"KeyIssued">).keySha256;
  return type === "KeyRotated" ? (data as EventData<"KeyRotated">).successor.keySha256 : undefined;
}

type EventData<Type> = Extract<KeyEvent, { type: Type }>["data"];

/** @param capacity keys held at once; the least recently used goes first. */
export function createRefusedKeys(capacity = MAX_REFUSED_KEYS): RefusedKeys {
  const refusals = new LRUCache<string, Refused>({ max: capacity });
  let epoch: string | null = null;
  /** Refusals from before this sequence aren't cached: the key may have been issued since. */
  let lastIssuedSequence = 0;
  let currentRules = "";
  let isFeedLive = false;
  let lostAtMs = Number.NEGATIVE_INFINITY;

  const reset = (newEpoch: string, sequence: number) => {
    epoch = newEpoch;
    lastIssuedSequence = sequence;
    refusals.clear();
  };
  const isValid = ({ rules, askedAtMs }: Refused, nowMs: number) => {
    if (rules !== currentRules || nowMs >= askedAtMs + MAX_AGE_MS) return false;
    return isFeedLive || nowMs < Math.max(lostAtMs, askedAtMs) + MAX_AGE_WITHOUT_FEED_MS;
  };
  return {
    read: (keySha256, nowMs) => {
      const refused = refusals.get(keySha256);
      if (!refused) return undefined;
      if (isValid(refused, nowMs)) return refused.outcome;
      refusals.delete(keySha256);
      return undefined;
    },
    add: (keySha256, refused) => {
      const { position, rules } = refused;
      if (position === null || rules === "") return;
      if (epoch !== null && (position.epoch !== epoch || position.sequence < lastIssuedSequence)) return;
      refusals.set(keySha256, refused);
    },
    event: (event, position) => {
      if (position.epoch !== epoch) reset(position.epoch, position.sequence - 1);
      const keySha256 = issuedBy(event);
      if (keySha256 === undefined) return;
      lastIssuedSequence = Math.max(lastIssuedSequence, position.sequence);
      refusals.delete(Buffer.from(keySha256, "hex").toString("latin1"));
    },
    reset,
    rules: (name) => {
      currentRules = name;
    },
    live: (isLive, nowMs) => {
      if (isFeedLive && !isLive) lostAtMs = nowMs;
      isFeedLive = isLive;
    },
    size: () => refusals.size,
  };
}
