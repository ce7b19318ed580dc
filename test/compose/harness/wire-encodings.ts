import { connect } from "node:http2";
import { isIPv4 } from "node:net";
import { Duplex } from "node:stream";
import { notationsOf } from "../../harness/notations.ts";

/** Bytes to look for, and how often they must occur: a short sequence occurs once by chance. */
export interface Needle {
  bytes: Buffer;
  atLeast: number;
}

const FOUR_BYTES = { atLeast: 3 };

/** Every encoding of a caller's address. @param address IPv6 with all eight groups written out. */
export function addressNeedles(address: string): Needle[] {
  const texts = notationsOf(address).map((text) => ({ bytes: Buffer.from(text, "latin1"), atLeast: 1 }));
  const bytes = isIPv4(address)
    ? Buffer.from(address.split(".").map(Number))
    : Buffer.from(
        address.split(":").flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      );
  const mapped = isIPv4(address) ? [{ bytes: Buffer.from(`::ffff:${address}`), atLeast: 1 }] : [];
  return [...texts, ...mapped, isIPv4(address) ? { bytes, ...FOUR_BYTES } : { bytes, atLeast: 1 }];
}

/** Every encoding of a key, token or password: as it is, in hexadecimal, base64 at any position, and in an HTTP/2 header. */
export async function secretNeedles(secret: string): Promise<Needle[]> {
  const raw = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((position) => {
    const text = Buffer.concat([Buffer.alloc(position), raw]).toString("base64");
    // Without the characters that depend on what is before and after it.
    const inner = text.slice(position === 0 ? 0 : position + 1, -4);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const texts = [secret, raw.toString("hex"), raw.toString("hex").toUpperCase(), ...base64];
  return [...texts.map((text) => Buffer.from(text)), await encodedHeader(secret)].map((bytes) => ({
    bytes,
    atLeast: 1,
  }));
}

/** Whether an encoding occurs. */
export function occurs({ bytes, atLeast }: Needle, text: Buffer): boolean {
  let from = 0;
  for (let count = 0; count < atLeast; count++) {
    const index = text.indexOf(bytes, from);
    if (index === -1) return false;
    from = index + bytes.length;
  }
  return true;
}

/**
 * The value of an HTTP/2 header in Huffman code, as Node sends it. `Bearer ` before it has 40 bits, so it starts at a byte
 * there, too. Without the last byte, which depends on what follows.
 */
async function encodedHeader(value: string): Promise<Buffer> {
  const sent: Buffer[] = [];
  const enough = Promise.withResolvers<Buffer>();
  const wire = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      sent.push(chunk);
      done();
      const found = lastHeaderOf(Buffer.concat(sent), value.length);
      if (found) enough.resolve(found);
    },
  });
  const session = connect("http://test", { createConnection: () => wire });
  session.on("error", () => {});
  session.request({ ":path": "/", "x-secret": value }).on("error", () => {});
  try {
    return (await enough.promise).subarray(0, -1);
  } finally {
    session.destroy();
  }
}

const PREFACE_BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
const FRAME_HEADER_BYTES = 9;
const HEADERS = 1;

/** The last value of the first HEADERS frame, in Huffman code; undefined if there is none yet. */
function lastHeaderOf(bytes: Buffer, valueLength: number): Buffer | undefined {
  for (let at = PREFACE_BYTES; at + FRAME_HEADER_BYTES <= bytes.length; ) {
    const end = at + FRAME_HEADER_BYTES + bytes.readUIntBE(at, 3);
    if (bytes[at + 3] === HEADERS && end <= bytes.length) {
      // The length of the value, in one byte with the flag for Huffman code, is before it.
      for (let length = Math.floor(valueLength / 2); length <= valueLength; length++)
        if (bytes[end - length - 1] === (0x80 | length)) return bytes.subarray(end - length, end);
    }
    at = end;
  }
  return undefined;
}
