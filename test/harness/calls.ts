/** Counts the complete requests in the bytes that a client sent on one connection, from the first byte. */
export type CountCalls = (sent: Buffer) => number;

const PREFACE_BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
const FRAME_HEADER_BYTES = 9;
const DATA_FRAME = 0;

/** gRPC requests. Each is small, so it is one nonempty DATA frame. */
export const countGrpcRequests: CountCalls = (sent) =>
  countFrames(sent, (type, bytes) => type === DATA_FRAME && bytes > 0);

function countFrames(sent: Buffer, isCounted: (type: number, bytes: number) => boolean): number {
  let count = 0;
  let at = PREFACE_BYTES;
  while (at + FRAME_HEADER_BYTES <= sent.length) {
    const bytes = sent.readUIntBE(at, 3);
    if (isCounted(sent.readUInt8(at + 3), bytes)) count += 1;
    at += FRAME_HEADER_BYTES + bytes;
  }
  return count;
}

/** Redis commands: arrays of bulk strings, `*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n`. */
export const countRedisCommands: CountCalls = (sent) => {
  let commands = 0;
  for (const line of lines(sent, (text) => (text.startsWith("$") ? Number(text.slice(1)) + 2 : 0)))
    if (line.startsWith("*")) commands += 1;
  return commands;
};

/** Messages published to NATS: `PUB subject [reply] size` and `HPUB subject [reply] header-size size`, then that many bytes. */
export const countNatsMessages: CountCalls = (sent) => {
  let messages = 0;
  const isMessage = (line: string) => /^H?PUB /i.test(line);
  for (const line of lines(sent, (text) => (isMessage(text) ? Number(text.split(" ").at(-1)) + 2 : 0)))
    if (isMessage(line)) messages += 1;
  return messages;
};

/** @param bytesAfter how many bytes follow a line before the next. */
function* lines(sent: Buffer, bytesAfter: (line: string) => number): Generator<string> {
  let at = 0;
  for (let end = sent.indexOf("\r\n", at); end !== -1; end = sent.indexOf("\r\n", at)) {
    const line = sent.toString("latin1", at, end);
    at = end + 2 + bytesAfter(line);
    yield line;
  }
}
