import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { type Budget, budgetedLine } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Exchange } from "./request/exchange.ts";

export type AccessLog = "errors" | "all" | "off";

/** Everything the request log may ever say of a request (design, section 5). */
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
 * At most 5 lines in any second are about callers' errors and 3 about our own, so that callers' errors can't hide ours.
 * With their summaries that is at most 10, however many requests are refused.
 */
const CALLERS_ERRORS: Budget = { burst: 3, refillMs: 500 };
const OWN_ERRORS: Budget = { burst: 2, refillMs: 1_000 };

/**
 * The request log under the setting ACCESS_LOG: errors by default, within a budget; with `all` every request.
 * @returns a function that logs a finished exchange.
 */
export function createRequestLog(log: Logger, setting: AccessLog): (exchange: Exchange, durationMs: number) => void {
  if (setting === "off") return () => undefined;
  if (setting === "all") return (exchange, durationMs) => log.info(lineOf(exchange, durationMs), "request");
  const callersError = budgetedLine(log, "info", "request", CALLERS_ERRORS);
  const ownError = budgetedLine(log, "info", "request", OWN_ERRORS);
  return (exchange, durationMs) => {
    const { statusCode } = exchange.res;
    if (statusCode < 400) return;
    const write = statusCode < 500 ? callersError : ownError;
    write(lineOf(exchange, durationMs), `${statusCode} ${exchange.code ?? exchange.route}`);
  };
}

function lineOf({ req, res, route, code, keyId, plan }: Exchange, durationMs: number): RequestLine {
  const rounded = Math.round(durationMs * 1000) / 1000;
  return { method: req.method ?? "", route, status: res.statusCode, code, durationMs: rounded, keyId, plan };
}
