import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { isOver, type NodeExchange } from "../request/exchange.ts";
import type { RefusalReason } from "./docs-metrics.ts";
import { type DocsRefusal, docsRefusal, prefersHtml } from "./refusal.ts";

/** How long a refusal for lack of capacity is delayed, so that callers that retry immediately cost little. */
const DELAY_MS = 200;
const MAX_PENDING = 10_000;
/** Delayed refusals sent in one turn of the event loop, so that requests for the API don't wait behind all of them. */
const MAX_SENT_PER_TURN = 20;

/** Sends the docs host's refusals. */
export interface Refusals {
  /**
   * @param exchange its headers must not have been sent.
   * @param mayDelay whether the response may be delayed: not if the portal's response is about to be sent.
   */
  refuse(exchange: NodeExchange, reason: RefusalReason, mayDelay?: boolean): void;
}

export function createRefusals(options: {
  docsUrl: () => string;
  clock: Clock;
  log: Logger;
  refused: (reason: RefusalReason) => void;
}): Refusals {
  const { docsUrl, clock, log, refused } = options;
  const pending: { exchange: NodeExchange; refusal: DocsRefusal }[] = [];
  let isScheduled = false;

  /** Each refusal is built once: a flood of refusals must cost less than the requested pages. */
  const cache = new Map<string, DocsRefusal>();
  const refusalFor = (reason: RefusalReason, isHtml: boolean) => {
    const name = `${reason} ${isHtml}`;
    const refusal = cache.get(name) ?? docsRefusal(reason, isHtml, docsUrl(), clock());
    cache.set(name, refusal);
    return refusal;
  };
  const send = (exchange: NodeExchange, { status, headers, body }: DocsRefusal) => {
    // A request whose body can't be parsed already has its response.
    if (isOver(exchange)) return;
    const { req, res } = exchange;
    // Headers of a failed portal response may be set already.
    for (const name of res.getHeaderNames()) if (name !== "connection") res.removeHeader(name);
    // The rest of a body must not be parsed as the next request.
    if (!req.complete) res.setHeader("Connection", "close");
    for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] as string, headers[at + 1] as string);
    res.writeHead(status).end(body);
  };
  const release = () => {
    for (const { exchange, refusal } of pending.splice(0, MAX_SENT_PER_TURN)) send(exchange, refusal);
    isScheduled = pending.length > 0;
    if (isScheduled) setImmediate(release);
  };
  return {
    refuse(exchange, reason, mayDelay = true) {
      refused(reason);
      budgeted(log).warn({ reason }, "docs request refused");
      const refusal = refusalFor(reason, prefersHtml(exchange.req));
      exchange.code = refusal.code;
      if (reason !== "full" || !mayDelay) return send(exchange, refusal);
      if (pending.length === MAX_PENDING) return send(exchange, refusal);
      pending.push({ exchange, refusal });
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(release, DELAY_MS);
    },
  };
}
