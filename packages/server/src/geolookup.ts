import type { IncomingMessage } from "node:http";
import { createBreaker, type PauseReason } from "./breaker.ts";
import { fetchRecord } from "./fetch-record.ts";
import { GeolookupError } from "./geolookup-error.ts";
import { type FieldName, type Located, unknownRecord } from "./record.ts";
import { createRecordCache } from "./record-cache.ts";
import { canonicalAddress, isUntrustedProxy, parseTrustProxy, visitorOf } from "./visitor.ts";
import { createErrorLog, createLogOnce } from "./warnings.ts";

export { GeolookupError, type GeolookupErrorCode } from "./geolookup-error.ts";
export type { FieldName, GeoRecord, Located } from "./record.ts";
export { lastUntrusted, parseTrustProxy, type TrustProxy } from "./visitor.ts";

export interface GeolookupOptions<Field extends FieldName = FieldName> {
  /** Base address of the API, without a query, such as `https://geo.example.com`. */
  url: string;
  /** A secret key with the permission `forward`; or any key, if this server's address is in the service's TRUST_PROXY. */
  key?: string | undefined;
  /** One or more field names. Default: all fields of the key's plan. */
  fields?: readonly Field[] | undefined;
  /** How long a lookup may take, from 1 to 60000. Default: 150. */
  timeoutMs?: number | undefined;
  /** How many visitors to cache in memory, for as long as the service allows; false or 0: none. Default: 10000. */
  cache?: { maxEntries: number } | false | undefined;
  /**
   * Your proxies: addresses, CIDRs, and the names loopback, linklocal and uniquelocal. X-Forwarded-For is read only from these.
   * Default: none, and the visitor is the socket's peer.
   */
  trustProxy?: readonly string[] | undefined;
  /** Called when a lookup fails. The error never has the visitor's address. */
  onError?: ((error: GeolookupError) => void) | undefined;
  /** Makes `locate` reject with a GeolookupError instead of returning nulls. Default: false. */
  throwErrors?: boolean | undefined;
}

/** A request that says where it comes from: Node's own, or any other with the visitor's address. */
export type NodeRequest = Pick<IncomingMessage, "socket" | "headers">;

export interface Geolookup<Field extends FieldName = FieldName> {
  /**
   * Locates the visitor who sent a request. If that fails, every field is null and `partial` is true.
   * @throws GeolookupError only with `throwErrors`.
   */
  locate(request: NodeRequest): Promise<Located<Field>>;
  /** A Web `Request` has no address, so `ip` is required. Null if it's unknown. */
  locate(request: Request, visitor: { ip: string | null }): Promise<Located<Field>>;
}

const MAX_TIMEOUT_MS = 60_000;
/** The quota resets only next month, but an operator can change the plan. */
const MAX_QUOTA_PAUSE_SECONDS = 60;

const PAUSED: Readonly<Record<PauseReason, string>> = {
  failures: "geolookup has failed repeatedly and isn't called for a few seconds",
  quota: "the key has no requests left this month, so geolookup isn't called for up to a minute",
};

const UNTRUSTED_PROXY =
  "requests come from a proxy on a private network (they have X-Forwarded-For) that isn't in trustProxy, so the proxy is located " +
  'instead of visitors. Set trustProxy: ["loopback"] for a proxy on this machine, or ["uniquelocal"] for one on your network';

/** @throws TypeError if an option is invalid. */
export function createGeolookup<const Field extends FieldName = FieldName>(
  options: GeolookupOptions<Field>,
): Geolookup<Field> {
  const { key, fields, timeoutMs = 150, cache: cacheOption, throwErrors = false } = options;
  const endpoint = endpointOf(options.url);
  if (fields !== undefined) {
    if (!Array.isArray(fields) || fields.length === 0)
      throw new TypeError("fields must be a non-empty array of names; omit it to get all fields of the plan");
    // `ip` shows which address the record is for.
    endpoint.searchParams.set("fields", [...new Set<FieldName>(["ip", ...fields])].sort().join());
  }
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new TypeError(`timeoutMs must be a number from 1 to ${MAX_TIMEOUT_MS}`);
  // A variable that isn't set must not quietly turn every lookup into one of the free tier.
  if ("key" in options && key === undefined)
    throw new TypeError("key is undefined; check the variable that should hold it, or omit key to send none");
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("key must not be empty or have spaces; omit it to send none");
  const maxEntries = cacheOption === false ? 0 : (cacheOption?.maxEntries ?? 10_000);
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 0)
    throw new TypeError("cache.maxEntries must be a whole number, 0 or more");
  const trusts = parseTrustProxy(options.trustProxy ?? []);
  const cache = createRecordCache(maxEntries, now);
  const breaker = createBreaker(now);
  const report = createErrorLog(options.onError, now);
  const warn = createLogOnce();
  /** Lookups in progress, by visitor, so that a visitor's parallel requests share one. */
  const pending = new Map<string, Promise<string>>();

  /** @returns the record's JSON. */
  const request = async (visitor: string, cacheKey: string): Promise<string> => {
    const pausedBy = breaker.pausedBy();
    if (pausedBy) throw new GeolookupError("paused", PAUSED[pausedBy]);
    try {
      const { record, maxAgeSeconds, notice } = await fetchRecord(endpoint, { key, visitor, timeoutMs });
      breaker.succeeded();
      const { ip, ...others } = record;
      const isIpWanted = fields === undefined || (fields as readonly FieldName[]).includes("ip");
      for (const note of notice?.split("; ") ?? []) {
        // A record with an address is the visitor's, however the service found it.
        const isMoot = typeof ip === "string" && note.includes("X-Forwarded-For");
        if (!isMoot && (isIpWanted || !note.startsWith('"ip" '))) warn(note);
      }
      const json = JSON.stringify(isIpWanted ? record : others);
      cache.set(cacheKey, json, maxAgeSeconds);
      return json;
    } catch (error) {
      const failure = error as GeolookupError;
      const { code, retryAfterSeconds } = failure;
      // One visitor's limit doesn't affect the others.
      if (code === "rate_limited") breaker.succeeded();
      else breaker.failed();
      if (code === "quota_exceeded")
        breaker.quotaExceeded(1_000 * Math.min(retryAfterSeconds ?? MAX_QUOTA_PAUSE_SECONDS, MAX_QUOTA_PAUSE_SECONDS));
      report(failure);
      throw failure;
    }
  };

  const locateAddress = async (address: string | null): Promise<Located<Field>> => {
    const visitor = address === null ? null : canonicalAddress(address);
    if (visitor === null) {
      const failure = new GeolookupError("no_address", "the request has no IP address, or `ip` isn't one");
      report(failure);
      throw failure;
    }
    const cacheKey = cache.keyOf(visitor);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return JSON.parse(cached);
    const known = pending.get(cacheKey);
    if (known) return JSON.parse(await known);
    const started = request(visitor, cacheKey).finally(() => pending.delete(cacheKey));
    pending.set(cacheKey, started);
    return JSON.parse(await started);
  };

  return {
    locate: async (request: NodeRequest | Request, visitor?: { ip: string | null }): Promise<Located<Field>> => {
      try {
        if (visitor === undefined && "socket" in request && isUntrustedProxy(request, trusts)) warn(UNTRUSTED_PROXY);
        return await locateAddress(addressOf(request, visitor, trusts));
      } catch (error) {
        if (throwErrors || !(error instanceof GeolookupError)) throw error;
        return unknownRecord<Field>(fields);
      }
    },
  };
}

function addressOf(
  request: NodeRequest | Request,
  visitor: { ip: string | null } | undefined,
  trusts: (address: string) => boolean,
): string | null {
  if (visitor) return visitor.ip;
  return "socket" in request ? visitorOf(request, trusts) : null;
}

/** A query or fragment would swallow the path, and fetch doesn't accept user names. */
function endpointOf(url: string): URL {
  try {
    if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(url)) return new URL(`${url.replace(/\/+$/, "")}/v1/geo`);
  } catch {}
  throw new TypeError("url must be the base address of the API, such as https://geo.example.com");
}

function now(): number {
  return performance.now();
}
