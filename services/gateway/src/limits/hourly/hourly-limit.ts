export const HOUR_MS = 3_600_000;

/** The decision on a request. */
export interface HourlyDecision {
  admitted: boolean;
  /** Requests left in the hour after this one. */
  remaining: number;
  resetUnixSeconds: number;
}

/** The hourly limit of one key's callers. */
export interface KeyHours {
  keyId: string;
  /** Requests per hour for each of its callers; at least 1. */
  limit: number;
}

/**
 * The hourly limits: the keyless one (contract, section 8), and one for each caller of a key whose plan has
 * `perCallerHourly`. The hour starts at a caller's first request. Refused requests don't count.
 */
export interface HourlyLimit {
  /** Keyless requests per hour. */
  readonly limit: number;
  /**
   * Never rejects.
   * @param ip the caller's address, canonical.
   * @param key the caller's key; without one, the keyless limit applies.
   */
  take(ip: string, key?: KeyHours): HourlyDecision | Promise<HourlyDecision>;
}
