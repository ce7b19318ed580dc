import type { IncomingHttpHeaders } from "node:http";
import { MAX_HEADERS } from "@geolookup/shared/domain/errors.ts";

/** The parts of a GET request that a lookup or the edge port reads. */
export interface ParsedRequest {
  /** As sent: a path and perhaps a query. */
  url: string;
  headers: IncomingHttpHeaders;
}

/** Longer requests go to Node, which has the limit for all of them. */
const MAX_LENGTH = 8_192;

/**
 * A whole request without a body: the strict form of RFC 9112, with a target in origin form and without a fragment. A name is a
 * token of letters, digits, `-` and `_`, directly before its colon; a value is printable ASCII and tabs.
 */
const REQUEST = /^GET (\/[!"$-~]*) HTTP\/1\.1\r\n(?:[\w-]+:[\t -~]*\r\n)+\r\n$/;

/**
 * What happens to a header: it is read, at most once, or makes the request Node's, because it announces a body or changes how the
 * connection is used. Others are checked, but not kept.
 */
const USES: ReadonlyMap<string, "read" | "node"> = new Map([
  ...["host", "origin", "referer", "authorization", "x-api-key", "x-forwarded-for", "x-edge-token"].map(
    (name) => [name, "read"] as const,
  ),
  ...["content-length", "transfer-encoding", "expect", "upgrade", "proxy-connection"].map(
    (name) => [name, "node"] as const,
  ),
]);

/** The longest of all these names. */
const MAX_NAME_LENGTH = "transfer-encoding".length;

/**
 * Parses a request if it has the form that nearly all clients send; anything else is for Node's parser. It accepts less than
 * Node does, and reads what it accepts in the same way: one request that ends with this text, stays on a kept-alive connection
 * and has no body.
 * @param text in Latin-1.
 * @returns null if the request doesn't have that form.
 */
export function parseRequest(text: string): ParsedRequest | null {
  const match = text.length > MAX_LENGTH ? null : REQUEST.exec(text);
  if (match === null) return null;
  const headers: IncomingHttpHeaders = {};
  const end = text.length - 2;
  let count = 0;
  for (let at = text.indexOf("\n") + 1; at < end; at = text.indexOf("\n", at) + 1) {
    const colon = text.indexOf(":", at);
    count += 1;
    if (colon - at > MAX_NAME_LENGTH) continue;
    const name = text.slice(at, colon).toLowerCase();
    const use = USES.get(name);
    if (use === "node") return null;
    if (use === "read") {
      if (headers[name] !== undefined) return null;
      headers[name] = valueAfter(text, colon);
    } else if (name === "connection" && valueAfter(text, colon).toLowerCase() !== "keep-alive") return null;
  }
  return headers.host === undefined || count > MAX_HEADERS ? null : { url: match[1] as string, headers };
}

function valueAfter(text: string, colon: number): string {
  return text.slice(colon + 1, text.indexOf("\r", colon)).trim();
}
