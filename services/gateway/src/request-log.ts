import type { Logger } from "@geolookup/shared/runtime/log.ts";
import type { Exchange } from "./exchange.ts";

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

/** Whether an answer is written to the log under the setting ACCESS_LOG. */
function isLogged(setting: AccessLog, status: number): boolean {
  return setting === "all" || (setting === "errors" && status >= 400);
}

/** @param exchange one that is over. */
export function logRequest(log: Logger, setting: AccessLog, exchange: Exchange, durationMs: number): void {
  const { req, res, route, code, keyId, plan } = exchange;
  const status = res.statusCode;
  if (!isLogged(setting, status)) return;
  const rounded = Math.round(durationMs * 1000) / 1000;
  const line: RequestLine = { method: req.method ?? "", route, status, code, durationMs: rounded, keyId, plan };
  log.info(line, "request");
}
