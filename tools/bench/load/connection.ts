import { connect, type Socket } from "node:net";

/** Far larger than any contestant's response. */
const READ_BUFFER_BYTES = 16_384;
const HEAD_END = "\r\n\r\n";

/** A keep-alive connection with at most one request in flight. */
export interface Connection extends Disposable {
  /** When the request in flight was, or should have been, sent; null if there is none. */
  intendedMs: number | null;
  /** Sends one request. `on.response` gets its response. */
  send(request: string): void;
}

/**
 * Opens a connection to loopback, and resolves once it is open.
 * @param on.response called with the status of each complete response.
 * @param on.failure called once, with the reason, if the connection ends before it is disposed of.
 */
export function openConnection(
  port: number,
  on: { response(connection: Connection, status: number): void; failure(connection: Connection, reason: string): void },
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let pending: Buffer | null = null;
    let over = false;
    const onread = (size: number, buffer: Uint8Array): boolean => {
      const chunk = (buffer as Buffer).subarray(0, size);
      const bytes: Buffer = pending === null ? chunk : Buffer.concat([pending, chunk]);
      const head = readResponseHead(bytes);
      if (head === null || bytes.length > head.length) fail("the length of a response differs from its head");
      else if (bytes.length < head.length) pending = pending === null ? Buffer.from(chunk) : bytes;
      else {
        pending = null;
        on.response(connection, head.status);
      }
      return true;
    };
    const socket: Socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES), callback: onread },
    });
    const fail = (reason: string) => {
      socket.destroy();
      if (over) return;
      over = true;
      reject(new Error(`port ${port}: ${reason}`));
      on.failure(connection, reason);
    };
    const connection: Connection = {
      intendedMs: null,
      send: (request) => {
        socket.write(request, "latin1");
      },
      [Symbol.dispose]: () => {
        over = true;
        socket.destroy();
      },
    };
    socket.once("connect", () => resolve(connection));
    socket.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.once("close", () => fail("the connection was closed"));
  });
}

/**
 * Reads the head of an HTTP/1.1 response with a Content-Length, the only kind that the contestants send.
 * @returns the status, and the bytes of the whole response (Infinity while its head is incomplete); null if it is another kind.
 */
function readResponseHead(bytes: Buffer): { status: number; length: number } | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return { status: 0, length: Number.POSITIVE_INFINITY };
  const [, status, body] =
    /^HTTP\/1\.1 (\d+).*\r\ncontent-length: *(\d+)/is.exec(bytes.toString("latin1", 0, end)) ?? [];
  return body === undefined ? null : { status: Number(status), length: end + HEAD_END.length + Number(body) };
}
