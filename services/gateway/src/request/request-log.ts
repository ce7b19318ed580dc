import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type Budget, budgetedLine } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Exchange } from "./exchange.ts";

export type AccessLog = "errors" | "all" | "off";

/** Everything that the request log may contain: no address, key or URL. test/privacy searches all output for them. */
interface RequestLine {
  method: string;
  route: string;
  status: number;
  code: string | null;
  durationMs: number;
  keyId: string | null;
  plan: string | null;
}

/**
 * At most 5 lines per second are about callers' errors and 3 about internal errors, so that callers' errors can't hide
 * internal ones. With summaries that is at most 10, however many requests are refused.
 */
const CALLER_ERRORS: Budget = { burst: 3, refillMs: 500 };
const INTERNAL_ERRORS: Budget = { burst: 2, refillMs: 1_000 };

/**
 * Creates the request log that ACCESS_LOG selects: `errors` (the default; within a budget), `all` requests, or `off`.
 * @returns a function that logs a finished exchange.
 */
export function createRequestLog(log: Logger, setting: AccessLog): (exchange: Exchange, durationMs: number) => void {
  if (setting === "off") return () => undefined;
  if (setting === "all") return (exchange, durationMs) => log.info(lineOf(exchange, durationMs), "request");
  const callerError = budgetedLine(log, "info", "request", CALLER_ERRORS);
  const internalError = budgetedLine(log, "info", "request", INTERNAL_ERRORS);
  return (exchange, durationMs) => {
    const { statusCode } = exchange.res;
    if (statusCode < 400) return;
    const write = statusCode < 500 ? callerError : internalError;
    write(lineOf(exchange, durationMs), `${statusCode} ${exchange.code ?? exchange.route}`);
  };
}

function lineOf({ req, res, route, code, keyId, plan }: Exchange, durationMs: number): RequestLine {
  const rounded = Math.round(durationMs * 1000) / 1000;
  return { method: req.method ?? "", route, status: res.statusCode, code, durationMs: rounded, keyId, plan };
}
