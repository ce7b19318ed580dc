import type { IncomingMessage } from "node:http";

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
