import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyKind } from "@geolookup/shared/domain/authorize.ts";
import { keyPrefix, type ParsedKey } from "@geolookup/shared/domain/key-shape.ts";
import { base62, type RandomBytes, randomBase62 } from "./base62.ts";

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
