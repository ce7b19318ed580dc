import { createHmacSha256 } from "@geolookup/shared/runtime/hmac-sha256.ts";
import ipaddr from "ipaddr.js";

/** 132 bits in base64url: no collisions, and less memory than a whole HMAC. */
const CALLER_LENGTH = 22;

/**
 * Names callers without revealing their addresses: a truncated HMAC-SHA256 with `secret` (design, section 5). An address has
 * an unrelated name for each key and for keyless requests.
 * @returns a function from a canonical address (IPv4-mapped ones are already IPv4) and a key ID to a name.
 */
export function createCallerNames(secret: string | Buffer, ipv6Prefix: number): (ip: string, keyId?: string) => string {
  const hmac = createHmacSha256(typeof secret === "string" ? Buffer.from(secret) : secret);
  return (ip, keyId) => {
    const subject = limitSubject(ip, ipv6Prefix);
    // No address contains a blank, so callers with and without a key never share a name.
    return hmac(keyId === undefined ? subject : `${keyId} ${subject}`).slice(0, CALLER_LENGTH);
  };
}

/**
 * What a limit applies to: an IPv4 address, or an IPv6 network of `ipv6Prefix` bits.
 * @param ip canonical, so IPv4-mapped addresses are already IPv4.
 */
export function limitSubject(ip: string, ipv6Prefix: number): string {
  if (!ip.includes(":")) return ip;
  const bytes = ipaddr.IPv6.parse(ip).toByteArray();
  return bytes.map((byte, index) => byte & mask(ipv6Prefix - index * 8)).join(".");
}

/** A byte with its first `bits` bits set: none below 0, all above 8. */
function mask(bits: number): number {
  return bits <= 0 ? 0 : bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
}
