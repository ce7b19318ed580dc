import type { OutgoingHttpHeaders } from "node:http";
import type { RequestHead, ResponseWriter } from "../request/exchange.ts";
import { headerLines, responseHead } from "../responses/send-prepared.ts";

/**
 * The response to a request of the fast path, with the members of Node's `ServerResponse` that the API uses. It is
 * sent with one write.
 */
export class FastResponse implements ResponseWriter {
  readonly req: RequestHead;
  statusCode = 200;
  shouldKeepAlive = true;
  headersSent = false;
  /** The status line and headers, until they are sent with the body. */
  _header = "";
  #onClose: (() => void) | null = null;
  readonly #onWritten: (error?: Error | null) => void;

  /**
   * @param onWritten called once the kernel has the response, usually before `end` returns. If the connection breaks before, with an error or
   * not at all. The same function for a whole connection.
   */
  constructor(req: RequestHead, onWritten: (error?: Error | null) => void) {
    this.req = req;
    this.#onWritten = onWritten;
  }

  get writableEnded(): boolean {
    return this.headersSent;
  }

  get destroyed(): boolean {
    return this.req.socket.destroyed;
  }

  /** Closes the connection after this response. */
  setHeader(_name: "Connection", _value: "close"): void {
    this.shouldKeepAlive = false;
  }

  hasHeader(_name: "Connection"): boolean {
    return !this.shouldKeepAlive;
  }

  getHeader(_name: "Content-Type"): undefined {
    return undefined;
  }

  /** @param headers with Content-Length, and without Date and those of the connection. */
  writeHead(status: number, headers: OutgoingHttpHeaders | string[]): this {
    this.statusCode = status;
    const lines = Array.isArray(headers) ? linesOf(headers) : headerLines(headers);
    this._header = responseHead(status, lines, this.shouldKeepAlive);
    return this;
  }

  end(body = "", encoding: "latin1" | "utf8" = "utf8"): void {
    this.headersSent = true;
    const { socket } = this.req;
    // Usually, the kernel takes the whole response at once. With a callback, Node schedules a `process.nextTick`, which costs more than the
    // rest of its own work for a write.
    socket.write(this._header + body, encoding);
    if (socket.writableLength > 0) socket.write("", this.#onWritten);
    else if (!socket.destroyed && socket.errored === null) this.#onWritten();
  }

  destroy(): void {
    this.req.socket.destroy();
  }

  /** @param listener called once the response is sent. `connections.ts` knows about connections that close before. */
  on(_event: "close", listener: () => void): void {
    this.#onClose = listener;
  }

  /** Call once the response is sent. */
  sent(): void {
    this.#onClose?.();
  }
}

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}
