import { createHmac } from "node:crypto";
import { limitSubject } from "@geolookup/shared/domain/limit-subject.ts";

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

/** Characters of a caller's name: 132 bits, so no two callers have the same one, in half the memory of the whole HMAC. */
export const NAME_LENGTH = 22;

/**
 * Names callers without revealing their addresses: the beginning of an HMAC-SHA256 with `secret`, in base64url. An
 * address has an unrelated name for each key and for keyless requests.
 * @returns a function from a canonical address (IPv4-mapped ones are already IPv4) and a key ID to a name.
 */
export function createCallerNames(secret: string | Buffer, ipv6Prefix: number): (ip: string, keyId?: string) => string {
  return (ip, keyId) => {
    const subject = limitSubject(ip, ipv6Prefix);
    // No address contains a blank, so callers with and without a key never share a name.
    const message = keyId === undefined ? subject : `${keyId} ${subject}`;
    return createHmac("sha256", secret).update(message).digest("base64url").slice(0, NAME_LENGTH);
  };
}
