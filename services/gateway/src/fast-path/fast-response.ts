import { type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ResponseWriter } from "../request/exchange.ts";

/** What Node doesn't send in a header's value either. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

/** The response to a request of the fast path, with the members of Node's `ServerResponse` that the API uses. It is sent with one write. */
export class FastResponse implements ResponseWriter {
  statusCode = 200;
  shouldKeepAlive = true;
  writableEnded = false;
  readonly #socket: Socket;
  readonly #keepAliveSeconds: number;
  /** The status line and headers, until they are sent with the body. */
  #head = "";
  #onClose = () => {};

  /** @param keepAliveSeconds that the response announces. */
  constructor(socket: Socket, keepAliveSeconds: number) {
    this.#socket = socket;
    this.#keepAliveSeconds = keepAliveSeconds;
  }

  get headersSent(): boolean {
    return this.#head !== "";
  }

  get destroyed(): boolean {
    return this.#socket.destroyed;
  }

  /** Closes the connection after this response. */
  setHeader(_name: "Connection", _value: "close"): void {
    this.shouldKeepAlive = false;
  }

  getHeader(_name: "Content-Type"): undefined {
    return undefined;
  }

  /**
   * @param headers with Content-Length, and without Date and those of the connection; an array has names and values in turn.
   * @throws Error if a value has a character that headers can't have.
   */
  writeHead(status: number, headers: OutgoingHttpHeaders | string[]): this {
    this.statusCode = status;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    const add = (name: string, value: unknown) => {
      const text = String(value);
      if (INVALID.test(text)) throw new Error(`the value of ${name} has an invalid character`);
      head += `${name}: ${text}\r\n`;
    };
    if (Array.isArray(headers))
      for (let at = 0; at < headers.length; at += 2) add(headers[at] as string, headers[at + 1]);
    else for (const name in headers) add(name, headers[name]);
    const connection = this.shouldKeepAlive ? `keep-alive\r\nKeep-Alive: timeout=${this.#keepAliveSeconds}` : "close";
    this.#head = `${head}Date: ${httpDate()}\r\nConnection: ${connection}\r\n\r\n`;
    return this;
  }

  end(body = "", encoding: "latin1" | "utf8" = body === "" ? "latin1" : "utf8"): void {
    this.writableEnded = true;
    const socket = this.#socket;
    // Usually, the kernel takes the whole response at once. With a callback, Node schedules a `process.nextTick`, which costs more than the
    // rest of its own work for a write.
    socket.write(this.#head + body, encoding);
    if (socket.writableLength > 0) socket.write("", (error) => !error && this.#onClose());
    else if (!socket.destroyed && socket.errored === null) this.#onClose();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** @param listener called once the kernel has the response, usually before `end` returns; never if the connection breaks before. */
  on(_event: "close", listener: () => void): void {
    this.#onClose = listener;
  }
}

let date = "";
let dateSecond = 0;

/** The time for `Date`, formatted once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) date = new Date(second * 1_000).toUTCString();
  dateSecond = second;
  return date;
}
