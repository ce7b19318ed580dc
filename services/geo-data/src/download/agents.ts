import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import type { Proxies } from "./proxies.ts";

/** A name has an address that must not be connected to. */
export class RefusedAddressError extends Error {}

export interface AgentOptions {
  /** Instead of the system's resolver. */
  resolve?: typeof lookup;
  /** Certificate authorities to trust, PEM; the system's by default. */
  ca?: string;
  /** Null, by default: connect directly. */
  proxies?: Proxies | null;
}

/**
 * Connections to hosts with allowed addresses only. It checks exactly the addresses that it connects to. A proxy resolves names
 * itself, so connections through one aren't checked here.
 * @param isAllowed decides about an address; one that isn't allowed is enough to refuse a name.
 * @returns a function that returns the dispatcher for a URL.
 */
export function createAgent(
  undici: typeof import("undici"),
  isAllowed: (address: string) => boolean,
  { resolve = lookup, ca, proxies = null }: AgentOptions,
): (url: URL) => Dispatcher {
  const checkedLookup: LookupFunction = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(new RefusedAddressError(`${hostname} has an address that isn't allowed`), []);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return first
        ? callback(null, first.address, first.family)
        : callback(new Error(`${hostname} has no address`), []);
    });
  const tls = ca === undefined ? {} : { ca };
  const options = {
    connect: { lookup: checkedLookup, ...tls },
    allowH2: false,
    // Downloads are rare, so connections aren't kept.
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
  };
  const direct = new undici.Agent(options);
  const through = (proxy: string | null | undefined) =>
    proxy == null
      ? direct
      : new undici.EnvHttpProxyAgent({
          ...options,
          ...{ requestTls: tls, proxyTls: tls },
          ...{ httpProxy: proxy, httpsProxy: proxy, noProxy: proxies?.exceptions ?? "" },
        });
  const [https, http] = [through(proxies?.https), through(proxies?.http)];
  return ({ protocol }) => (protocol === "https:" ? https : http);
}
