import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { parseIpv4 } from "../../domain/ip-words.ts";

/** Whether a peer's X-Forwarded-For is trusted. */
export type TrustProxy = (ip: string) => boolean;

const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * Reads the setting TRUST_PROXY: `none`, or a comma-separated list of addresses, CIDRs and the
 * names loopback, linklocal, uniquelocal.
 * @throws Error naming the invalid entry.
 */
export function parseTrustProxy(setting: string): TrustProxy {
  const networks = trustedNetworks(setting);
  if (networks.length === 0) return () => false;
  const trusted = new BlockList();
  for (const { address, length, family } of networks) trusted.addSubnet(address, length, family);
  return (ip) => trusted.check(ip, ip.includes(":") ? "ipv6" : "ipv4");
}

/** A network of addresses: those that share the first `length` bits of `address`. */
export interface Network {
  address: string;
  length: number;
  family: "ipv4" | "ipv6";
}

/** The networks of the setting TRUST_PROXY. @throws Error naming the invalid entry. */
export function trustedNetworks(setting: string): Network[] {
  if (setting.trim() === "none") return [];
  const entries = setting.split(",").map((text) => text.trim());
  return entries.flatMap((entry) => NAMED_NETWORKS[entry] ?? [entry]).map(parseNetwork);
}

function parseNetwork(network: string): Network {
  const [address = "", prefix, ...rest] = network.split("/");
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (family === 0 || address.includes("%") || rest.length > 0 || length < 0 || length > bits) {
    throw new Error(
      `${JSON.stringify(network)} isn't a valid address, CIDR or name. Use for example 10.0.0.0/8, 2001:db8::/32 or loopback, separated by commas; or none`,
    );
  }
  return { address, length, family: family === 4 ? "ipv4" : "ipv6" };
}

/** The usual form of a host's IPv6 address: RFC 5952 has nothing to shorten where no group is zero. */
const WITHOUT_ZEROS = /^[1-9a-f][\da-f]{0,3}(?::[1-9a-f][\da-f]{0,3}){7}$/;

/**
 * The canonical text of an address: IPv4-mapped as IPv4, other IPv6 as RFC 5952, without a zone.
 * @returns null if the text isn't an address.
 */
export function canonicalAddress(text: string): string | null {
  if (parseIpv4(text) !== null || WITHOUT_ZEROS.test(text)) return text;
  if (!isIPv6(text)) return null;
  const zone = text.indexOf("%");
  const address = ipaddr.IPv6.parse(withoutDots(zone === -1 ? text : text.slice(0, zone)));
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}

/** An IPv6 address with a dotted tail converted to hexadecimal: ipaddr.js treats `::1.2.3.4` as IPv4-mapped. */
function withoutDots(text: string): string {
  return text.includes(".") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** Parses one hop of X-Forwarded-For: an address, possibly with brackets, port or zone. */
export function parseHop(hop: string): string | null {
  const text = hop.trim();
  if (text.startsWith("[")) {
    const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
    const inside = bracketed?.[1] ?? "";
    return inside.includes(":") ? canonicalAddress(inside) : null;
  }
  const colon = text.indexOf(":");
  if (colon !== -1 && colon === text.lastIndexOf(":")) {
    return /^\d{1,5}$/.test(text.slice(colon + 1)) ? canonicalAddress(text.slice(0, colon)) : null;
  }
  return canonicalAddress(text);
}

/** What the caller's address is read from. */
type Addressed = Pick<IncomingMessage, "socket" | "headers">;

/** The caller of a request, and what was read to find it. */
export interface Caller {
  /** Canonical. */
  readonly address: string;
  /** Whether X-Forwarded-For was read: the peer is trusted. A response then depends on the header, even if it is missing. */
  readonly isTrusted: boolean;
  /** The end of the unread part of X-Forwarded-For: negative if all of it was read, Infinity if none was. */
  readonly unreadEnd: number;
  /** What the caller should know about how its address was found; null: nothing. */
  readonly notice: string | null;
}

const NO_VALID_ENTRY = "the proxy's X-Forwarded-For has no valid address, so this is the proxy's own location";

/** @returns a function that determines the caller's address of a request. The peer is parsed once per connection. */
export function createCallerAddress(trusts: TrustProxy): (req: Addressed) => string {
  const callerOf = createCallerOf(trusts);
  return (req) => callerOf(req).address;
}

/** @returns a function that determines the caller of a request. The peer is parsed once per connection. */
export function createCallerOf(trusts: TrustProxy): (req: Addressed) => Caller {
  const peers = new WeakMap<Socket, Caller>();
  return ({ socket, headers }) => {
    let peer = peers.get(socket);
    if (!peer) {
      peer = readPeer(socket.remoteAddress ?? "", trusts);
      peers.set(socket, peer);
    }
    return walk(peer, headers["x-forwarded-for"] as string | undefined, trusts);
  };
}

const isLoopback = parseTrustProxy("loopback");

/** Replaces the address of callers on this machine: DEV_ADDRESS. @param address canonical. */
export function standInForLoopback(callerOf: (req: Addressed) => Caller, address: string): (req: Addressed) => Caller {
  const notice = "DEV_ADDRESS stands in for your loopback address";
  return (req) => {
    const caller = callerOf(req);
    return isLoopback(caller.address) ? { ...caller, address, notice } : caller;
  };
}

/**
 * The caller's address. Starting at the peer, X-Forwarded-For is walked from the right while hops are
 * trusted. An invalid hop ends the walk at the nearest trusted one.
 * @param peer the socket's remote address.
 * @param forwardedFor all X-Forwarded-For lines joined with commas, as Node joins them.
 * @returns canonical text.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusts: TrustProxy): string {
  return findCaller(peer, forwardedFor, trusts).address;
}

/** The same, with what was read to find it. */
export function findCaller(peer: string, forwardedFor: string | undefined, trusts: TrustProxy): Caller {
  return walk(readPeer(peer, trusts), forwardedFor, trusts);
}

/**
 * The address before the caller's in X-Forwarded-For, for callers that may forward one visitor. No other entry is read.
 * @returns canonical text; null if there is no entry left, or it isn't an address.
 */
export function hopBefore(caller: Caller, forwardedFor: string | undefined): string | null {
  if (!forwardedFor || caller.unreadEnd < 0) return null;
  const end = Math.min(caller.unreadEnd, forwardedFor.length);
  return parseHop(forwardedFor.slice(startOfHop(forwardedFor, end), end));
}

function readPeer(text: string, trusts: TrustProxy): Caller {
  const address = canonicalAddress(text);
  const unreadEnd = Number.POSITIVE_INFINITY;
  return address === null
    ? { address: text, isTrusted: false, unreadEnd, notice: null }
    : { address, isTrusted: trusts(address), unreadEnd, notice: null };
}

function walk(peer: Caller, forwardedFor: string | undefined, trusts: TrustProxy): Caller {
  if (!forwardedFor || !peer.isTrusted) return peer;
  let { address } = peer;
  let unreadEnd = forwardedFor.length;
  do {
    const start = startOfHop(forwardedFor, unreadEnd);
    const hop = parseHop(forwardedFor.slice(start, unreadEnd));
    if (hop === null) return { address, isTrusted: true, unreadEnd, notice: NO_VALID_ENTRY };
    address = hop;
    unreadEnd = start - 1;
  } while (unreadEnd >= 0 && trusts(address));
  return { address, isTrusted: true, unreadEnd, notice: null };
}

function startOfHop(forwardedFor: string, end: number): number {
  return end === 0 ? 0 : forwardedFor.lastIndexOf(",", end - 1) + 1;
}
