import type { RequestHead } from "../request/exchange.ts";

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
