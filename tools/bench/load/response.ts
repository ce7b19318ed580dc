const HEAD_END = "\r\n\r\n";
const STATUS_START = "HTTP/1.1 ".length;
const ZERO = 48;

/** The start of a response in a buffer. */
export interface ResponseHead {
  status: number;
  /** Bytes of the whole response, or Infinity while its head is incomplete. */
  length: number;
}

/**
 * Reads the head of an HTTP/1.1 response with a Content-Length, the only kind that the contestants send.
 * @returns null if it is another kind.
 */
export function readResponseHead(bytes: Buffer): ResponseHead | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return { status: 0, length: Number.POSITIVE_INFINITY };
  const bodyLength = contentLength(bytes, headEnd);
  if (bodyLength === null) return null;
  return { status: digits(bytes, STATUS_START), length: headEnd + HEAD_END.length + bodyLength };
}

function contentLength(bytes: Buffer, headEnd: number): number | null {
  const name = "ontent-Length: ";
  const at = bytes.indexOf(name);
  if (at >= 0 && at < headEnd) return digits(bytes, at + name.length);
  const match = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, headEnd));
  return match ? Number(match[1]) : null;
}

function digits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return value;
    value = 10 * value + digit;
  }
}
