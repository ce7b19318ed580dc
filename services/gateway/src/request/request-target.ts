import type { IncomingMessage } from "node:http";
import type { Unreadable } from "@geolookup/shared/domain/errors.ts";
import type { Route } from "./exchange.ts";

/**
 * Brings a request target in absolute form (`GET http://host/path`) to origin form, its authority
 * taking the place of the Host header (RFC 9112, section 3.2.2). Other targets stay as they are.
 */
export function toOriginForm(req: IncomingMessage): void {
  const url = req.url ?? "";
  if (url.startsWith("/")) return;
  const match = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(url);
  if (!match) return;
  const [, authority = "", rest = ""] = match;
  req.headers.host = authority;
  req.url = rest.startsWith("/") ? rest : `/${rest}`;
}

/** Whether a target is a path with perhaps a query; a fragment is never sent (RFC 9112, section 3.2.1). */
export function isOriginForm(target: string): boolean {
  return target.startsWith("/") && !target.includes("#");
}

/**
 * Which of its paths a request asks for the operation by (contract, section 4); null when it asks for something else.
 * Paths are exact: case-sensitive, no escapes.
 * @param req one whose target is in origin form.
 */
export function operationOf({ method, url = "" }: IncomingMessage): Extract<Route, "/v1/geo" | "/"> | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path === "/v1/geo" || path === "/" ? path : null;
}

/**
 * What makes a request invalid that Node has read; null: nothing. Node closes a connection after the method of HTTP/2's
 * preface, whatever responses wait: such a request gets another method.
 */
export function unreadableOf(req: IncomingMessage): Unreadable | null {
  if (req.method === "PRI") {
    req.method = "";
    return "syntax";
  }
  return hasOneHost(req) ? null : "host";
}

/** Whether a request names its host as RFC 9112, section 3.2 asks: HTTP/1.1 once, HTTP/1.0 at most once. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}
