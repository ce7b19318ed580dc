import type { IncomingMessage } from "node:http";

/**
 * Tells whether a request is for the docs host: the host and port of DOCS_URL. Proxies such as nginx with `$host` leave the
 * port out. That is accepted for a name such as `docs.example.com`, which can't be the API's as well, but not for
 * docs.localhost: no proxy serves it.
 * @param docsUrl an absolute URL.
 */
export function docsHostMatcher(docsUrl: string): (req: IncomingMessage) => boolean {
  const { host, hostname, protocol } = new URL(docsUrl);
  const defaultPort = protocol === "https:" ? ":443" : ":80";
  const usual = [host, host + defaultPort, ...(/^docs\.(?!localhost$)/.test(hostname) ? [hostname] : [])];
  // Also fully qualified, with a dot at the end of the name.
  const names = usual.flatMap((name) => [name, name.replace(hostname, `${hostname}.`)]);
  return ({ headers }) => {
    const sent = headers.host?.toLowerCase();
    return sent !== undefined && names.includes(sent);
  };
}
