import type { IncomingMessage } from "node:http";

/**
 * Tells whether a request is for the docs host: the host and port of DOCS_URL.
 * @param docsUrl an absolute URL.
 */
export function docsHostMatcher(docsUrl: string): (req: IncomingMessage) => boolean {
  const { host, protocol } = new URL(docsUrl);
  const defaultPort = protocol === "https:" ? ":443" : ":80";
  return ({ headers }) => {
    const sent = headers.host?.toLowerCase();
    return sent !== undefined && (sent === host || sent === host + defaultPort);
  };
}
