import type { RequestHead } from "./request/exchange.ts";
import { pathOf } from "./request/request-target.ts";

/** What serves a request; see `serve` in app.ts. */
export type Handler = "preflight" | "portal" | "lookup" | "notFound";

interface Route {
  /** `GET` includes HEAD. `*`: any. */
  method: "GET" | "OPTIONS" | "*";
  /** `docs`: the host of DOCS_URL. `*`: any. */
  host: "docs" | "*";
  /** An exact path: case-sensitive, without escapes. `/*`: any path. `*`: any target, even one that isn't a path. */
  path: "/v1/geo" | "/" | "/*" | "*";
  handler: Handler;
}

/** What serves everything else: 404 `not_found`. */
const NOT_FOUND: Route = { method: "*", host: "*", path: "*", handler: "notFound" };

/** The routes of the public port (contract, section 4). The first match serves the request. */
const ROUTES: readonly Route[] = [
  { method: "OPTIONS", host: "*", path: "*", handler: "preflight" },
  { method: "*", host: "docs", path: "/*", handler: "portal" },
  { method: "GET", host: "*", path: "/v1/geo", handler: "lookup" },
  { method: "GET", host: "*", path: "/", handler: "lookup" },
  NOT_FOUND,
];

/** @param req with a target in origin form, if it is a path. */
export function matchRoute({ method, url = "" }: RequestHead, isDocsHost: boolean): Route {
  const path = pathOf(url);
  for (const route of ROUTES) {
    const isMethod = route.method === "*" || route.method === method || (route.method === "GET" && method === "HEAD");
    const isHost = route.host === "*" || isDocsHost;
    const isPath = route.path === "*" || (path !== null && (route.path === "/*" || route.path === path));
    if (isMethod && isHost && isPath) return route;
  }
  return NOT_FOUND;
}

/**
 * Tells whether a request is for the docs host: the host and port of DOCS_URL. Proxies such as nginx with `$host` leave the
 * port out. That is accepted for a name such as `docs.example.com`, which can't be the API's as well, but not for
 * docs.localhost: no proxy serves it.
 * @param docsUrl an absolute URL. A function, because it may have the port, which isn't known before the first request.
 */
export function docsHostMatcher(docsUrl: () => string): (req: RequestHead) => boolean {
  let names: ReadonlySet<string> | null = null;
  return ({ headers }) => {
    names ??= docsHostNames(docsUrl());
    const sent = headers.host?.toLowerCase();
    return sent !== undefined && names.has(sent);
  };
}

function docsHostNames(docsUrl: string): ReadonlySet<string> {
  const { host, hostname, protocol } = new URL(docsUrl);
  const defaultPort = protocol === "https:" ? ":443" : ":80";
  const usual = [host, host + defaultPort, ...(/^docs\.(?!localhost$)/.test(hostname) ? [hostname] : [])];
  // Also fully qualified, with a dot at the end of the name.
  return new Set(usual.flatMap((name) => [name, name.replace(hostname, `${hostname}.`)]));
}
