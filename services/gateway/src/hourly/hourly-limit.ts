export const HOUR_MS = 3_600_000;

/** Whether a request is admitted in its caller's hour. */
export interface HourlyDecision {
  admitted: boolean;
  /** Requests left in the hour after this one. */
  remaining: number;
  resetUnixSeconds: number;
}

/** The hourly limit of one key's callers. */
export interface KeyHours {
  keyId: string;
  /** Requests an hour for each of its callers, 1 or more. */
  limit: number;
}

/**
 * The hourly limits: the keyless one (contract, section 8), and those of the callers of each key whose plan has one. The
 * hour opens at a caller's first request; a refused request consumes nothing.
 */
export interface HourlyLimit {
  /** Of requests without a key. */
  readonly limit: number;
  /**
   * Never rejects.
   * @param ip the caller's address, canonical.
   * @param key the key that the caller uses; without one, the keyless limit applies.
   */
  take(ip: string, key?: KeyHours): HourlyDecision | Promise<HourlyDecision>;
}
