import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Whether an address is one of your proxies, whose X-Forwarded-For is read. */
export type TrustProxy = (address: string) => boolean;

const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["linklocal", ["169.254.0.0/16", "fe80::/10"]],
  ["uniquelocal", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
]);

/**
 * Reads the option `trustProxy`, by the rules of the service's setting TRUST_PROXY.
 * @param entries addresses, CIDRs, and the names loopback, linklocal and uniquelocal. Empty: no address.
 * @throws TypeError naming the invalid entry.
 */
export function parseTrustProxy(entries: readonly string[]): TrustProxy {
  const trusted = new BlockList();
  for (const entry of entries) {
    for (const network of NAMED_NETWORKS.get(entry) ?? [entry]) {
      const [address = "", prefix, ...rest] = String(network).split("/");
      const family = isIP(address);
      const bits = family === 4 ? 32 : 128;
      const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
      if (family === 0 || address.includes("%") || rest.length > 0 || length < 0 || length > bits)
        throw new TypeError(
          `trustProxy: ${JSON.stringify(entry)} isn't a valid address, CIDR or name. Use e.g. 10.0.0.0/8, 2001:db8::/32 or loopback`,
        );
      trusted.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
    }
  }
  return (address) => trusted.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/**
 * The canonical text of an address: IPv4-mapped as IPv4, other IPv6 as RFC 5952, without a zone.
 * @returns null if the text isn't an address.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0) return null;
  const [address = ""] = text.split("%", 1);
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical);
  if (!mapped) return canonical;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** Parses one entry of X-Forwarded-For: an address, possibly with brackets, port or zone. */
function parseHop(hop: string): string | null {
  const text = hop.trim();
  if (text.startsWith("[")) {
    const inside = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? "";
    return inside.includes(":") ? canonicalAddress(inside) : null;
  }
  const colon = text.indexOf(":");
  if (colon !== -1 && colon === text.lastIndexOf(":"))
    return /^\d{1,5}$/.test(text.slice(colon + 1)) ? canonicalAddress(text.slice(0, colon)) : null;
  return canonicalAddress(text);
}

/**
 * The visitor of a request to a Node.js server: the socket's peer. If the peer is one of your proxies, X-Forwarded-For is
 * walked from the right to the first address that isn't. An invalid entry ends the walk at the nearest proxy.
 * @returns canonical text; null if the connection is closed.
 */
export function visitorOf({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">, trusts: TrustProxy) {
  const peer = canonicalAddress(socket.remoteAddress ?? "");
  const header = headers["x-forwarded-for"];
  return peer === null || !trusts(peer) ? peer : (lastUntrusted(String(header ?? ""), trusts) ?? peer);
}

/** Whether a request seems to come from one of your proxies that isn't trusted: a private peer that sends X-Forwarded-For. */
export function isUntrustedProxy({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">, trusts: TrustProxy) {
  if (headers["x-forwarded-for"] === undefined) return false;
  const peer = canonicalAddress(socket.remoteAddress ?? "");
  return peer !== null && !trusts(peer) && isPrivate(peer);
}

const isPrivate = parseTrustProxy([...NAMED_NETWORKS.keys()]);

/**
 * Walks X-Forwarded-For from the right to the first address that isn't a proxy's.
 * @returns canonical text: that address, or the last proxy before an invalid entry or the end; null if the rightmost entry
 *   is invalid or missing.
 */
export function lastUntrusted(forwardedFor: string, trusts: TrustProxy): string | null {
  let current: string | null = null;
  for (let end = forwardedFor.length; end >= 0; ) {
    const start = end === 0 ? 0 : forwardedFor.lastIndexOf(",", end - 1) + 1;
    const hop = parseHop(forwardedFor.slice(start, end));
    if (hop === null) return current;
    current = hop;
    if (!trusts(current)) return current;
    end = start - 1;
  }
  return current;
}
