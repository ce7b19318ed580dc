import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import { keyPrefix, type ParsedKey } from "@geolookup/shared/domain/key-shape.ts";

/** Cryptographically strong random bytes, e.g. node:crypto's randomBytes. */
export type RandomBytes = (size: number) => Buffer;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: bytes from here on would favor the first digits. */
const UNBIASED_BYTES = 248;

/**
 * Converts bytes, as one big-endian number, to its last `width` base62 digits, padded with zeros. Divides 16 bits at a
 * time, which is twice as fast as BigInt.
 */
export function base62(bytes: Buffer, width: number): string {
  const limbs = new Uint16Array(Math.ceil(bytes.length / 2));
  for (let at = 1; at <= bytes.length; at += 1)
    limbs[limbs.length - Math.ceil(at / 2)] =
      (limbs[limbs.length - Math.ceil(at / 2)] as number) |
      ((bytes[bytes.length - at] as number) << (at % 2 === 0 ? 8 : 0));
  let text = "";
  for (let position = 0; position < width; position += 1) {
    let remainder = 0;
    for (let at = 0; at < limbs.length; at += 1) {
      const part = remainder * 65_536 + (limbs[at] as number);
      limbs[at] = part / 62;
      remainder = part % 62;
    }
    text = DIGITS[remainder] + text;
  }
  return text;
}

/** Random base62 characters, each of the 62 equally likely. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < UNBIASED_BYTES && text.length < length) text += DIGITS[byte % 62];
  return text;
}

/** One entry of the signing-key ring. */
export interface SigningKey {
  /** 4 base62 characters, part of every key it signs. */
  id: string;
  /** At least 256 bits. */
  secret: Buffer;
}

/** 22 base62 characters hold 130.9 random bits, at least the 128 that a key needs. */
const RANDOM_LENGTH = 22;
const MAC_BYTES = 16;
const MAC_LENGTH = 22;

/** Creates a key, signed by `signingKey`. The format: docs/keys.md. */
export function mintKey(kind: KeyKind, signingKey: SigningKey, randomBytes: RandomBytes): string {
  const signed = `${keyPrefix(kind)}${signingKey.id}${randomBase62(RANDOM_LENGTH, randomBytes)}`;
  return `${signed}_${macOf(signed, signingKey)}`;
}

/** Whether a key's MAC is valid for `signingKey`. Compares in constant time. */
export function macMatches(key: ParsedKey, signingKey: SigningKey): boolean {
  return timingSafeEqual(Buffer.from(key.mac), Buffer.from(macOf(key.signed, signingKey)));
}

/** HMAC-SHA256, cut to its first 128 bits, in base62. */
function macOf(signed: string, { secret }: SigningKey): string {
  const mac = createHmac("sha256", secret).update(signed).digest().subarray(0, MAC_BYTES);
  return base62(mac, MAC_LENGTH);
}
