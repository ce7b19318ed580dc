export const HOUR_MS = 3_600_000;

/** The answer to a keyless request's request for room in its hour. */
export interface HourlyDecision {
  admitted: boolean;
  /** Requests left in the hour after this one. */
  remaining: number;
  resetUnixSeconds: number;
}

/**
 * The hourly keyless limit (contract, section 8). The hour opens at a caller's first request; a
 * refused request consumes nothing.
 */
export interface HourlyLimit {
  readonly limit: number;
  /**
   * Never rejects.
   * @param ip the caller's address, canonical.
   */
  take(ip: string): HourlyDecision | Promise<HourlyDecision>;
}
