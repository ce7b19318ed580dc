/** Cryptographically strong random bytes, e.g. node:crypto's randomBytes. */
export type RandomBytes = (size: number) => Buffer;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: bytes from here on would favour the first digits. */
const UNBIASED_BYTES = 248;

/** Bytes as one big-endian number in base62, padded with zeros to `width` characters. */
export function base62(bytes: Buffer, width: number): string {
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(width, "0");
}

/** Random base62 characters, each of the 62 equally likely. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < UNBIASED_BYTES && text.length < length) text += DIGITS[byte % 62];
  return text;
}
