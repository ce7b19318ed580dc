import type { IncomingMessage } from "node:http";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import type { ErrorCode, Problem } from "@geolookup/shared/domain/errors.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import express from "express";
import { isOver, type NodeExchange } from "../request/exchange.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { RefusalReason } from "./docs-metrics.ts";

/** The docs host isn't the API: it can use statuses that the contract doesn't have. */
const STATUS_OF: Readonly<Record<RefusalReason, number>> = {
  full: 503,
  timeout: 503,
  unavailable: 503,
  too_large: 413,
  too_slow: 408,
};

const PROBLEM_OF: Readonly<Record<RefusalReason, Problem>> = {
  full: { code: "internal_error", reason: "docs_busy" },
  timeout: { code: "internal_error", reason: "docs" },
  unavailable: { code: "internal_error", reason: "docs" },
  too_large: { code: "not_found", unreadable: "form_too_large" },
  too_slow: { code: "not_found", unreadable: "form_too_slow" },
};

/** The response to a refused request. */
export interface DocsRefusal {
  status: number;
  code: ErrorCode;
  /** Names and values in turn. */
  headers: readonly string[];
  body: string;
}

/** @returns the contract's JSON error, or a plain page. */
export function docsRefusal(reason: RefusalReason, isHtml: boolean, docsUrl: string, nowMs: number): DocsRefusal {
  const problem = PROBLEM_OF[reason];
  const { headers, body } = errorResponse(problem, docsUrl, nowMs);
  const text = isHtml ? pageOf(errorBody(problem, docsUrl).error.message) : body;
  const all: Record<string, string> = { ...headers, "Content-Length": String(Buffer.byteLength(text)), Vary: "Accept" };
  if (isHtml) {
    all["Content-Type"] = "text/html; charset=utf-8";
    all["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'";
    all["X-Content-Type-Options"] = "nosniff";
  }
  return { status: STATUS_OF[reason], code: problem.code, headers: Object.entries(all).flat(), body: text };
}

/** Whether a refused request gets a page: `Accept` prefers one, or it is a form, which comes from a browser. */
export function prefersHtml(req: IncomingMessage): boolean {
  if (req.method === "POST") return true;
  if (!req.headers.accept?.includes("text/")) return false;
  const accepts: (...types: string[]) => string | false = express.request.accepts.bind(req as express.Request);
  return accepts("json", "html") === "html";
}

/** @param message without markup. */
function pageOf(message: string): string {
  const text = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Not available · geolookup</title></head>
<body><h1>This page isn't available</h1>
<p>${text}</p></body>
</html>
`;
}

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
