import type { Logger } from "@geolookup/shared/runtime/log.ts";

export type AccessLog = "errors" | "all" | "off";

/** Everything the request log may ever say of a request (design, section 5). */
export interface RequestLine {
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

export function logRequest(log: Logger, setting: AccessLog, line: RequestLine): void {
  if (isLogged(setting, line.status))
    log.info({ ...line, durationMs: Math.round(line.durationMs * 1000) / 1000 }, "request");
}
