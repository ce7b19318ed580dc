import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { addressToLookUp } from "@geolookup/geo/mmdb/address.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Dispatcher, Response } from "undici";
import type { Proxies } from "./proxies.ts";

/** A name has an address that must not be connected to. */
class RefusedAddressError extends Error {}

interface AgentOptions {
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
function createAgent(
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

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Init {
  method: "GET" | "HEAD";
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Fetches a URL. `server` names who responds, for messages: "the registry". */
export type GuardedFetch = (url: string, server: string, init: Init) => Promise<Response>;

/**
 * Makes a fetch that follows at most 3 redirects: to https only, and to hosts with public addresses only, which is checked
 * when connecting, so that a name can't change its address in between. The URL's own host is exempt: the operator or this
 * version of geolookup chose it. If the URL is http, so may be redirects on its host. Credentials are only sent to the URL's
 * own origin. It throws a StartError for a redirect that it doesn't follow, and the errors of `fetch`.
 * @param options proxies to connect through; for tests: other addresses that count as public, names, and certificate
 * authorities.
 */
export function createGuardedFetch(
  options: AgentOptions & { isPublic?: (address: string) => boolean } = {},
): GuardedFetch {
  const { isPublic = (address) => addressToLookUp(address) !== null, ...agentOptions } = options;
  // Loading undici takes a tenth of a second, and most starts download nothing.
  const load = async () => {
    const undici = await import("undici");
    return {
      fetch: undici.fetch,
      chosenHost: createAgent(undici, () => true, agentOptions),
      otherHosts: createAgent(undici, isPublic, agentOptions),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;

  return async (url, server, { method, headers, signal }) => {
    loaded ??= load();
    const { fetch, chosenHost, otherHosts } = await loaded;
    const first = new URL(url);
    const refuse = (problem: string) => new StartError(`cannot download ${url}: ${server} ${problem}`);
    let target = first;
    let sent = headers;
    for (let redirects = 0; ; redirects++) {
      const dispatcher = (target.hostname === first.hostname ? chosenHost : otherHosts)(target);
      const response = await fetch(target, { method, headers: sent, signal, redirect: "manual", dispatcher }).catch(
        (error: unknown) => {
          throw error instanceof Error && error.cause instanceof RefusedAddressError ? refuse(NOT_PUBLIC) : error;
        },
      );
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS) throw refuse(`redirected more than ${MAX_REDIRECTS} times`);
      if (!URL.canParse(location, target.href)) throw refuse("redirected to something that isn't a URL");
      const next = new URL(location, target);
      const problem = problemOf(next, first, isPublic);
      if (problem !== null) throw refuse(problem);
      if (next.origin !== first.origin) sent = withoutCredentials(sent);
      target = next;
    }
  };
}

export const guardedFetch = createGuardedFetch();

const NOT_PUBLIC = "redirected to an address that isn't public";
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** Why a redirect isn't followed, for the operator; null to follow it. Never names the URL: it may be signed. */
function problemOf(next: URL, first: URL, isPublic: (address: string) => boolean): string | null {
  const isSameHost = next.hostname === first.hostname;
  if (next.protocol !== "https:" && !(next.protocol === "http:" && first.protocol === "http:" && isSameHost))
    return "redirected to an address without TLS";
  if (next.username !== "" || next.password !== "") return "redirected to an address with credentials";
  // Addresses aren't resolved, so the agent doesn't see them. It doesn't see what a proxy resolves either.
  const host = next.hostname.replace(/^\[|\]$/g, "");
  const isPrivate = isIP(host) === 0 ? LOCALHOST.test(host) : !isPublic(host);
  return !isSameHost && isPrivate ? NOT_PUBLIC : null;
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
}
