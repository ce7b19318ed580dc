import type { KeyEnd, KeyKind } from "./authorize.ts";
import { ERROR_CATALOG } from "./catalog.ts";

export type ErrorCode = keyof typeof ERROR_CATALOG;

/** Every error code, in the order of the contract. */
export const ERROR_CODES = Object.keys(ERROR_CATALOG) as ErrorCode[];

/** Where a key was sent (contract, section 5), or where an empty one was. */
export type KeySlot = "query" | "bearer" | "header";

/** The headers that a request may have. */
export const MAX_HEADERS = 1_000;

/** Why a request was refused before it was routed. */
export type Unreadable =
  | "syntax"
  | "method"
  | "headers_too_large"
  | "too_many_headers"
  | "too_slow"
  | "host"
  | "expectation"
  | "tunnel"
  | FormUnreadable;

/** Why the docs host did not read a form. */
type FormUnreadable = "form_too_large" | "form_too_slow";

/** A refused request: its code, and the details for its message. Never contains a full key or an IP address. */
export type Problem =
  | { code: "missing_key"; reason: "keyless_off" }
  | { code: "missing_key"; reason: "empty_slot"; slot: KeySlot; servesKeyless: boolean }
  | { code: "malformed_key"; slot: KeySlot; reason: "shape" | "too_long" | "given_twice" }
  /** `display` is the key's display form. */
  | { code: "bad_signature" | "revoked_key"; slot: KeySlot; display: string }
  | { code: "unknown_key"; slot: KeySlot; display: string; end?: KeyEnd }
  | {
      code: "origin_not_allowed";
      /** As sent; null if none was. */
      refusedOrigin: string | null;
      sentAs: "origin" | "referer" | "none";
      display: string;
      kind: KeyKind;
    }
  /** The hourly limit without a key. */
  | { code: "rate_limited"; exceeded: "keyless_hourly"; limit: number; resetUnixSeconds: number }
  /** The hourly limit for one caller of a key. */
  | {
      code: "rate_limited";
      exceeded: "caller_hourly";
      plan: string;
      limit: number;
      resetUnixSeconds: number;
      display: string;
    }
  /** The limit per second for a key: `limit` requests a second on average, `burst` at once. */
  | {
      code: "rate_limited";
      exceeded: "per_second";
      plan: string;
      limit: number;
      burst: number;
      resetUnixSeconds: number;
      display: string;
    }
  /** `isShared`: the quota isn't the plan's, but one for several keys. */
  | {
      code: "quota_exceeded";
      plan: string;
      limit: number;
      isShared?: boolean;
      resetUnixSeconds: number;
      display: string;
    }
  /** A query string in `path` is dropped. */
  | { code: "not_found"; method: string; path: string }
  /** A request for the API at the docs host; null if the API's address is unknown. */
  | { code: "not_found"; apiUrl: string | null }
  /** The request was malformed HTTP, so its endpoint is unknown. */
  | { code: "not_found"; unreadable: Unreadable }
  /** `docs`: the docs site failed; `docs_busy`: it is at capacity. */
  | { code: "internal_error"; reason: "overload" | "fault" | "docs" | "docs_busy" };
