import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ErrorCode, Unreadable } from "@geolookup/shared/domain/errors.ts";

/** A request's path in metrics and logs: the API's paths, any other, or of an invalid request. */
export type RouteLabel = "/v1/geo" | "/" | "other" | "unreadable";

/** What the API reads of a request: Node's, or one of the fast path (fast-path/). */
export type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers" | "socket">;

/** What the API needs of a response. Its members are those of Node's. */
export interface ResponseWriter {
  statusCode: number;
  readonly shouldKeepAlive: boolean;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  setHeader(name: "Connection", value: "close"): unknown;
  getHeader(name: "Content-Type"): unknown;
  writeHead(status: number, headers: OutgoingHttpHeaders | string[]): ResponseWriter;
  end(body?: string): unknown;
  end(body: string, encoding: "latin1" | "utf8"): unknown;
  destroy(): unknown;
  on(event: "close", listener: () => void): unknown;
}

/** One request and its response, with everything the metrics and the request log may say about them. */
export interface Exchange {
  readonly req: RequestHead;
  readonly res: ResponseWriter;
  /** When the request's headers were read, in milliseconds of process time. */
  readonly startedMs: number;
  route: RouteLabel;
  /** The error code of the response. */
  code: ErrorCode | null;
  /** Of a key that was issued, if that is known. */
  keyId: string | null;
  plan: string | null;
  /** What the caller should know about what was ignored (`X-Geolookup-Notice`). */
  notice: string | null;
  /** Why the request is invalid HTTP. */
  unreadable: Unreadable | null;
  /** Whether the request has been counted against its limit, so that its record must be sent. */
  isCounted: boolean;
  /** Whether it was refused for lack of capacity, which overload.ts logs. */
  isOverload: boolean;
}

/** An exchange whose request Node has parsed. */
export interface NodeExchange extends Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export function openExchange<Req extends RequestHead, Res extends ResponseWriter>(
  req: Req,
  res: Res,
  unreadable: Unreadable | null,
): Exchange & { readonly req: Req; readonly res: Res } {
  return {
    req,
    res,
    startedMs: performance.now(),
    route: "other",
    code: null,
    keyId: null,
    plan: null,
    notice: null,
    unreadable,
    isCounted: false,
    isOverload: false,
  };
}

/** Whether a response has been written, or its connection is closed. */
export function isOver({ res }: Exchange): boolean {
  return res.headersSent || res.destroyed;
}

/**
 * Makes a response close its connection. A stream of events lasts as long as its reader: it is ended, and the reader
 * reconnects to another gateway.
 */
export function askToClose({ res }: Exchange): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
  else if (String(res.getHeader("Content-Type")).startsWith("text/event-stream")) res.destroy();
}
