import type { IncomingMessage } from "node:http";
import { MAX_HEADERS, type Unreadable } from "@geolookup/shared/domain/errors.ts";

/**
 * Converts a target in absolute form (`GET http://host/path`) to origin form. Its authority replaces the Host header
 * (RFC 9112, section 3.2.2). Other targets stay unchanged.
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

/** The path of a target in origin form; null for other targets. Clients never send fragments (RFC 9112, section 3.2.1). */
export function pathOf(target: string): string | null {
  if (!target.startsWith("/") || target.includes("#")) return null;
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Why a request that Node has parsed is invalid; null if it is valid. Node closes a connection after the method of HTTP/2's
 * preface, even if responses are pending, so such a request gets another method.
 */
export function unreadableOf(req: IncomingMessage): Unreadable | null {
  if (req.method === "PRI") {
    req.method = "";
    return "syntax";
  }
  if (req.headers.expect !== undefined && req.method !== "OPTIONS" && req.httpVersion !== "1.0") return "expectation";
  if (req.rawHeaders.length > 2 * MAX_HEADERS) return "too_many_headers";
  return hasOneHost(req) ? null : "host";
}

/** Whether the number of Host headers is valid (RFC 9112, section 3.2): one in HTTP/1.1, at most one in HTTP/1.0. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}
