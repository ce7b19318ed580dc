import type { IncomingMessage } from "node:http";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import type { ErrorCode, Problem } from "@geolookup/shared/domain/errors.ts";
import express from "express";
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
