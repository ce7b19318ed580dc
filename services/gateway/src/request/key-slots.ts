import type { IncomingHttpHeaders } from "node:http";
import type { KeySlot } from "@geolookup/shared/domain/errors.ts";

/** The content of a request's key slots. */
export type SuppliedKey =
  | { kind: "none" }
  /** All slots present are empty: an unset variable must not silently become the free tier. */
  | { kind: "empty"; slot: KeySlot }
  /** `key` is in the query more than once. */
  | { kind: "given_twice" }
  | { kind: "key"; slot: KeySlot; key: string };

const NONE: SuppliedKey = { kind: "none" };

/** Reads the slots in the contract's order (section 5): the first non-empty one wins, even if its key is invalid. */
export function readKeySlots(query: URLSearchParams | null, headers: IncomingHttpHeaders): SuppliedKey {
  const inQuery = query?.getAll("key") ?? [];
  if (inQuery.length > 1) return { kind: "given_twice" };
  let firstEmpty: KeySlot | null = null;
  for (const [slot, key] of [
    ["query", inQuery[0]],
    ["bearer", bearerToken(headers.authorization)],
    ["header", headers["x-api-key"] as string | undefined],
  ] as const) {
    if (key === undefined) continue;
    if (key !== "") return { kind: "key", slot, key };
    firstEmpty ??= slot;
  }
  return firstEmpty === null ? NONE : { kind: "empty", slot: firstEmpty };
}

/** The token of `Authorization: Bearer …`; empty if there is none; undefined for other schemes. */
function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization === "") return authorization;
  const match = /^bearer(?:[ \t]+(.*))?$/is.exec(authorization);
  return match ? (match[1] ?? "") : undefined;
}
