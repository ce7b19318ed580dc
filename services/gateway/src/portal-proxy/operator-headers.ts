import type { IncomingMessage } from "node:http";
import { OPERATOR_SECRET_HEADER } from "@geolookup/shared/runtime/env/gateway-and-portal.ts";
import { canonicalAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";

/**
 * The headers with which a proxy in front signs an operator in. Only connections from its networks may send them, whatever
 * X-Forwarded-For says. Otherwise they are ignored, which is logged once.
 * @returns the names of the headers that the console gets from a request.
 */
export function createOperatorHeaders(
  header: { name: string; from: string } | undefined,
  log: Logger,
): (req: IncomingMessage) => readonly string[] {
  if (header === undefined) return () => [];
  const { name, from } = header;
  const isProxy = parseTrustProxy(from);
  const names = [name, OPERATOR_SECRET_HEADER];
  let hasWarned = false;
  return ({ socket, headers }) => {
    const peer = canonicalAddress(socket.remoteAddress ?? "");
    if (peer !== null && isProxy(peer)) return names;
    if (headers[name] !== undefined && !hasWarned) {
      hasWarned = true;
      log.warn({ header: name }, "operator header ignored: its sender isn't in OPERATOR_HEADER_FROM");
    }
    return [];
  };
}
