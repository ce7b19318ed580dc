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
