import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** The proxies to download through, as most programs read them from the environment. */
export interface Proxies {
  /** The proxy for https URLs, which can contain a user and a password; null: none. */
  https: string | null;
  /** The same for http URLs, which only mirrors have. */
  http: string | null;
  /** Hosts that are connected to directly: names with the names below them, addresses and `*`, separated by commas. */
  exceptions: string;
}

/**
 * The proxies in HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or their lowercase forms, which have priority as in curl.
 * @returns null if there is none.
 * @throws StartError that names the variable, without its value.
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies | null {
  const https = proxyOf("HTTPS_PROXY", environment.https_proxy || environment.HTTPS_PROXY);
  const http = proxyOf("HTTP_PROXY", environment.http_proxy || environment.HTTP_PROXY);
  if (https === null && http === null) return null;
  return { https, http, exceptions: environment.no_proxy || environment.NO_PROXY || "" };
}

function proxyOf(name: string, value: string | undefined): string | null {
  if (!value) return null;
  const url = value.includes("://") ? value : `http://${value}`;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw new StartError(
    `bad configuration:\n  ${name}: must be the URL of an HTTP proxy, such as http://proxy.example:3128`,
  );
}
