import type { IncomingHttpHeaders } from "node:http";
import { MAX_HEADERS } from "@geolookup/shared/domain/errors.ts";

/** The parts of a GET request that a lookup or the edge port reads. Other headers are checked, but not kept. */
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

/** The longest name that matters: Transfer-Encoding. */
const MAX_NAME_LENGTH = 17;

/**
 * Parses a request if it has the form that nearly all clients send; anything else is for Node's parser. It accepts less than
 * Node does, and reads what it accepts in the same way: one request that ends with this text, stays on a kept-alive connection
 * and has no body. A header that is read occurs at most once.
 * @param text everything that arrived, in Latin-1.
 * @returns null if the request doesn't have that form.
 */
export function parseRequest(text: string): ParsedRequest | null {
  const match = text.length > MAX_LENGTH ? null : REQUEST.exec(text);
  if (match === null) return null;
  const url = match[1] as string;
  let host: string | undefined;
  let origin: string | undefined;
  let referer: string | undefined;
  let authorization: string | undefined;
  let apiKey: string | undefined;
  let forwardedFor: string | undefined;
  let edgeToken: string | undefined;
  const end = text.length - 2;
  let count = 0;
  for (let at = text.indexOf("\n") + 1; at < end; at = text.indexOf("\n", at) + 1) {
    const colon = text.indexOf(":", at);
    count += 1;
    if (colon - at > MAX_NAME_LENGTH) continue;
    switch (text.slice(at, colon).toLowerCase()) {
      case "host":
        if (host !== undefined) return null;
        host = valueAfter(text, colon);
        break;
      case "origin":
        if (origin !== undefined) return null;
        origin = valueAfter(text, colon);
        break;
      case "referer":
        if (referer !== undefined) return null;
        referer = valueAfter(text, colon);
        break;
      case "authorization":
        if (authorization !== undefined) return null;
        authorization = valueAfter(text, colon);
        break;
      case "x-api-key":
        if (apiKey !== undefined) return null;
        apiKey = valueAfter(text, colon);
        break;
      case "x-forwarded-for":
        if (forwardedFor !== undefined) return null;
        forwardedFor = valueAfter(text, colon);
        break;
      case "x-edge-token":
        if (edgeToken !== undefined) return null;
        edgeToken = valueAfter(text, colon);
        break;
      case "connection":
        if (valueAfter(text, colon).toLowerCase() !== "keep-alive") return null;
        break;
      // These announce a body or change how the connection is used.
      case "content-length":
      case "transfer-encoding":
      case "expect":
      case "upgrade":
      case "proxy-connection":
        return null;
    }
  }
  if (host === undefined || count > MAX_HEADERS) return null;
  const headers: IncomingHttpHeaders = { host };
  if (origin !== undefined) headers.origin = origin;
  if (referer !== undefined) headers.referer = referer;
  if (authorization !== undefined) headers.authorization = authorization;
  if (apiKey !== undefined) headers["x-api-key"] = apiKey;
  if (forwardedFor !== undefined) headers["x-forwarded-for"] = forwardedFor;
  if (edgeToken !== undefined) headers["x-edge-token"] = edgeToken;
  return { url, headers };
}

function valueAfter(text: string, colon: number): string {
  return text.slice(colon + 1, text.indexOf("\r", colon)).trim();
}
