/** The service's error codes, and the package's own. */
export type GeolookupErrorCode =
  | ("missing_key" | "malformed_key" | "bad_signature" | "unknown_key" | "revoked_key" | "origin_not_allowed")
  | ("rate_limited" | "quota_exceeded" | "not_found" | "internal_error")
  /** No connection, no response in time, a response that isn't from the service. */
  | ("network" | "timeout" | "unreadable")
  /**
   * The service isn't called: for a few seconds after failing several times in a row, or for up to a minute after
   * `quota_exceeded`. Only thrown, never passed to `onError`.
   */
  | "paused"
  /** The record is that of this server, because the service didn't accept the visitor's address. */
  | "not_forwarded"
  /** The request has no address, or `ip` isn't one. */
  | "no_address";

/** Why a lookup failed. `message` says what to change, and never contains an address. */
export class GeolookupError extends Error {
  override readonly name = "GeolookupError";
  readonly code: GeolookupErrorCode;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Link to the page about the code; null if it isn't the service's. */
  readonly docs: string | null;
  /** How long to wait before retrying, or null. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: GeolookupErrorCode,
    message: string,
    more: { status?: number; docs?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.docs = more.docs ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}
