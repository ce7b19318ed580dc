import type { Sent } from "./http.ts";

/** The three ways to send a key, in the order in which they are checked (contract, section 5). */
export const SLOTS: readonly { name: string; with(key: string): Sent }[] = [
  { name: "?key=", with: (key) => ({ path: `/v1/geo?key=${encodeURIComponent(key)}` }) },
  { name: "Authorization: Bearer", with: (key) => ({ headers: { Authorization: `Bearer ${key}` } }) },
  { name: "X-API-Key", with: (key) => ({ headers: { "X-API-Key": key } }) },
];

/** A request with a key in the query string and more parameters after it. */
export function keyed(key: string, query = ""): Sent {
  return { path: `/v1/geo?key=${key}${query}` };
}

/** The same key with one of its random characters changed: a valid shape with an invalid MAC. */
export function forged(key: string): string {
  const index = "geo_sk_".length + 10;
  return key.slice(0, index) + (key[index] === "A" ? "B" : "A") + key.slice(index + 1);
}
