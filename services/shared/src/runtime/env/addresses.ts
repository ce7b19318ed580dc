import { isIPv4, isIPv6 } from "node:net";
import { z } from "zod";

const HOST_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i;

/** An address to listen on: an IP address, or a name of this machine. */
export const host = () =>
  z.string().refine(isListenHost, "must be an IP address, such as 127.0.0.1, or a host name, without a port");

/** A gRPC target with a port: `host:port`, `dns:///host:port`, `ipv4:a:1,b:2`, `ipv6:[a]:1,[b]:2` or `unix:path`. */
export const grpcTarget = () =>
  z
    .string()
    .refine(
      isGrpcTarget,
      "must be a gRPC target: host:port, dns:///host:port, ipv4:address:port,… , ipv6:[address]:port,… or unix:path",
    );

/** The address of one NATS server, or of several, comma-separated. */
export const natsUrl = () =>
  z
    .string()
    .refine(
      (value) => value.split(",").every(isNatsUrl),
      "must be nats://[user:password@]host:port, or tls://…, or several separated by commas without spaces",
    );

/** The address of a Redis server. */
export const redisUrl = () =>
  z.string().refine(isRedisUrl, "must be redis://[user:password@]host[:port][/database], or rediss://");

/**
 * The parts of a gRPC target. `authority`: the DNS server to query. `path`: a host and port, a socket's path, or comma-separated addresses,
 * depending on the scheme.
 */
export interface GrpcTarget {
  scheme: string;
  authority?: string;
  path: string;
}

/** Splits a target as gRPC does. A target without a known scheme is a DNS name. */
export function parseGrpcTarget(target: string): GrpcTarget {
  const [, scheme = "dns", authority, path = target] =
    /^(dns|ipv4|ipv6|unix):(?:\/\/([^/]*)\/)?(.+)$/.exec(target) ?? [];
  return authority === undefined ? { scheme, path } : { scheme, authority, path };
}

/** A name whose last label is a number must be an IPv4 address: a URL can't be parsed otherwise. */
function isListenHost(value: string): boolean {
  return isIPv6(value) || (HOST_NAME.test(value) && URL.canParse(`http://${value}`));
}

function isGrpcTarget(value: string): boolean {
  const { scheme, authority = "", path } = parseGrpcTarget(value);
  if (scheme === "unix") return true;
  if (scheme === "dns") return isHostAndPort(path, isHost);
  return (
    authority === "" && path.split(",").every((each) => isHostAndPort(each, scheme === "ipv4" ? isIPv4 : isBracketed))
  );
}

function isNatsUrl(value: string): boolean {
  const [, server = ""] = /^(?:(?:nats|tls):\/\/)?(?:[^@\s/]*@)?([^@\s/]+)\/?$/i.exec(value) ?? [];
  return (isHost(server) || isHostAndPort(server, isHost)) && isDecodable(value);
}

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname } = new URL(value);
  return hostname !== "" && /^(\/\d*)?$/.test(pathname) && isDecodable(value);
}

/** Without this check, a `%` in a password that isn't written as `%25` would only fail when the client connects. */
function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

function isHostAndPort(value: string, isRightHost: (host: string) => boolean): boolean {
  const [, host = "", port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
  return isRightHost(host) && Number(port) >= 1 && Number(port) <= 65_535;
}

function isHost(host: string): boolean {
  return isBracketed(host) || HOST_NAME.test(host);
}

function isBracketed(host: string): boolean {
  return host.startsWith("[") && host.endsWith("]") && isIPv6(host.slice(1, -1));
}
