import { createHmac } from "node:crypto";
import { limitSubject } from "@geolookup/shared/domain/limit-subject.ts";

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
