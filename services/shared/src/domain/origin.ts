import type { KeyKind } from "./authorize.ts";

/** Whether a request's origin passes its key's allowlist. `refusedOrigin`: the origin sent, null if none was. */
export type OriginDecision = { allowed: true } | { allowed: false; refusedOrigin: string | null };

/** Schemes whose pages send an `Origin` with a host: the web, browser extensions, and apps' web views. */
const SCHEMES = [
  "http",
  "https",
  "chrome-extension",
  "moz-extension",
  "safari-web-extension",
  "capacitor",
  "ionic",
  "tauri",
];
/** DNS's limit is 253; the rest is room for scheme, port and Unicode spelling. */
export const MAX_ORIGIN_LENGTH = 400;
/** Loosely RFC 6454, section 6.2: scheme, host (a name, IPv4, or IPv6 in brackets), port. The URL parser does the rest. */
const BARE_ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[^\p{C}\p{Z}!-,/:-@[-^`{-~]+)(?::(\d{1,5}))?$/iu;
const ALLOWED: OriginDecision = Object.freeze({ allowed: true });

/**
 * Parses one entry of an origin allowlist: a bare origin such
 * as `https://example.com`, or `https://*.example.com`, where `*` stands for one or more whole
 * labels; the apex itself doesn't match.
 * @returns the entry in its normal form (lower case, punycode, without the default port), which is stored; or the reason for the
 * refusal, as a sentence for the operator.
 */
export function parseAllowlistEntry(text: string): { entry: string } | { reason: string } {
  const trimmed = text.trim();
  const named = JSON.stringify(trimmed.length > 100 ? `${trimmed.slice(0, 100)}…` : trimmed);
  const refuse = (why: string) => ({ reason: `${named} isn't a valid origin: ${why}` });
  if (trimmed === "") return refuse("it is empty");
  if (trimmed.length > MAX_ORIGIN_LENGTH) return refuse(`it is longer than ${MAX_ORIGIN_LENGTH} characters`);
  if (trimmed.toLowerCase() === "null")
    return refuse("null is the origin of sandboxed pages and local files, and can't be allowed");
  if (trimmed === "*") return refuse("to allow any origin, leave the list empty");
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse("it must start with a scheme, as in https://example.com");
  if (!SCHEMES.includes(scheme)) return refuse(`the scheme must be one of ${SCHEMES.join(", ")}`);
  const rest = trimmed.slice(scheme.length + 3);
  if (/[/\\?#]/.test(rest)) return refuse("leave out the path, query and fragment, including a trailing /");
  if (rest.includes("@")) return refuse("leave out the user name and password");
  const wildcard = rest.startsWith("*.");
  const host = wildcard ? rest.slice(2) : rest;
  if (host.includes("*")) return refuse("* is only allowed as the first label, as in https://*.example.com");
  const origin = parseBareOrigin(`${scheme}://${host}`);
  if (origin === null) return refuse("its host or port is not valid");
  if (!wildcard) return { entry: origin };
  if (isIpHost(origin)) return refuse("* can't be combined with an IP address");
  return { entry: origin.replace("://", "://*.") };
}

/**
 * The origin of a `Referer` header in its normal form, e.g. `https://example.com:8443`.
 * @returns null unless the header is an absolute URL of a scheme that has origins.
 */
export function refererOrigin(referer: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(referer) || !URL.canParse(referer)) return null;
  const url = new URL(referer);
  return parseBareOrigin(`${url.protocol}//${url.host}`);
}

/**
 * Decides whether a request's origin is on its key's allowlist (contract 5 rule 4).
 * An `Origin` is always checked; without one, a publishable key is checked by
 * the `Referer`'s origin, and a secret key is allowed. An empty header counts as missing.
 * @param check.origins entries as parseAllowlistEntry returns them; empty: any origin.
 */
export function decideOrigin(check: {
  kind: KeyKind;
  origins: readonly string[];
  origin: string | null;
  referer: string | null;
}): OriginDecision {
  if (check.origins.length === 0) return ALLOWED;
  if (check.origin) {
    // Entries are in normal form, so an equal text needs no parsing. Browsers nearly always send the normal form.
    if (check.origins.includes(check.origin) && !check.origin.includes("*")) return ALLOWED;
    const origin = parseBareOrigin(check.origin);
    if (origin !== null && isListed(origin, check.origins)) return ALLOWED;
    return { allowed: false, refusedOrigin: check.origin };
  }
  if (check.kind === "secret") return ALLOWED;
  const origin = check.referer ? refererOrigin(check.referer) : null;
  if (origin !== null && isListed(origin, check.origins)) return ALLOWED;
  return { allowed: false, refusedOrigin: origin };
}

/** A bare origin in its normal form; null for anything else (`null`, a path, userinfo, an empty label…). */
function parseBareOrigin(text: string): string | null {
  if (text.length > MAX_ORIGIN_LENGTH) return null;
  const match = BARE_ORIGIN.exec(text);
  const scheme = match?.[1]?.toLowerCase() ?? "";
  // Lower case first: the URL parser doesn't change the hosts of non-web schemes.
  const normal = text.toLowerCase();
  if (!SCHEMES.includes(scheme) || !URL.canParse(normal)) return null;
  const url = new URL(normal);
  const labels = url.hostname.replace(/\.$/, "").split(".");
  if (labels.includes("") || url.hostname.length > 254) return null;
  return `${scheme}://${url.host}`;
}

function isListed(origin: string, entries: readonly string[]): boolean {
  return entries.some((entry) => entry === origin || matchesWildcard(origin, entry));
}

function matchesWildcard(origin: string, entry: string): boolean {
  const star = entry.indexOf("://*.");
  if (star < 0) return false;
  const scheme = entry.slice(0, star + 3);
  const suffix = entry.slice(star + 4);
  // The suffix begins with a dot, and no host has an empty label: whole labels only, never the apex.
  return origin.startsWith(scheme) && origin.endsWith(suffix);
}

function isIpHost(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}
