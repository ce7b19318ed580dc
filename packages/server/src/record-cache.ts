import { createHmac, randomBytes } from "node:crypto";

/** Records by visitor, in memory, for as long as the service allows. Addresses aren't kept: keys are HMACs. */
export interface RecordCache {
  /** The key of an address: its HMAC under a random key of this process. */
  keyOf(address: string): string;
  /** The JSON of a record; undefined if it's missing or expired. */
  get(key: string): string | undefined;
  /** Stores a record's JSON, and evicts the least recently used one if there are too many. */
  set(key: string, json: string, maxAgeSeconds: number): void;
}

export function createRecordCache(maxEntries: number, now: () => number): RecordCache {
  const secret = randomBytes(32);
  /** Least recently used first. */
  const entries = new Map<string, { json: string; expiresAtMs: number }>();
  return {
    keyOf: (address) => createHmac("sha256", secret).update(address).digest("base64url"),
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.expiresAtMs <= now()) return undefined;
      entries.set(key, entry);
      return entry.json;
    },
    set: (key, json, maxAgeSeconds) => {
      if (maxAgeSeconds <= 0 || maxEntries === 0) return;
      entries.delete(key);
      entries.set(key, { json, expiresAtMs: now() + maxAgeSeconds * 1_000 });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** How long a response may be cached, in seconds (RFC 9111): `max-age` less `Age`. 0 without `max-age`. */
export function maxAgeSeconds(headers: Headers): number {
  const directives = (headers.get("Cache-Control") ?? "")
    .toLowerCase()
    .split(",")
    .map((text) => text.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return 0;
  const maxAge = directives.map((text) => /^max-age="?(\d{1,9})"?$/.exec(text)?.[1]).find((text) => text !== undefined);
  const age = Number(headers.get("Age")) || 0;
  return Math.max(0, Number(maxAge ?? 0) - Math.max(0, age));
}
