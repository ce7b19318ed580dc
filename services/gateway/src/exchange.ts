import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorCode } from "@geolookup/shared/domain/errors.ts";
import type { Route } from "./metrics.ts";

/** One request and its answer, with all that the metrics and the request log are told of them. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** When the request's headers had been read, in milliseconds of process time. */
  readonly startedMs: number;
  route: Route;
  /** Of the problem that is answered with. */
  code: ErrorCode | null;
  /** Of the key, once it has been granted. */
  keyId: string | null;
  plan: string | null;
  /** Among those in flight (in-flight.ts). */
  place: number;
}

export function openExchange(req: IncomingMessage, res: ServerResponse): Exchange {
  return { req, res, startedMs: performance.now(), route: "other", code: null, keyId: null, plan: null, place: -1 };
}

/**
 * Has an answer close its connection. A stream of events lasts as long as its reader: it is ended, and the reader
 * comes back to whoever answers then.
 */
export function askToClose({ res }: Exchange): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
  else if (String(res.getHeader("Content-Type")).startsWith("text/event-stream")) res.destroy();
}
