import type { Server } from "node:http";
import type { Socket } from "node:net";
import { limitSubject } from "@geolookup/shared/domain/limit-subject.ts";
import { canonicalAddress, type TrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { countConnections } from "@geolookup/shared/runtime/http/count-connections.ts";
import type { ClosedReason } from "./connection.ts";

/** One client opens at most one in this many of all connections. */
const CLIENT_SHARE = 4;

/**
 * Limits how many connections are open, in total and for each client: an IPv4 address or an IPv6 network. Trusted proxies
 * carry many clients, so only the total applies to them. Further connections are closed immediately.
 * Addresses are held in memory only, for as long as their connections last.
 */
export function limitConnections(
  server: Server,
  options: {
    maxConnections: number;
    ipv6Prefix: number;
    trusts: TrustProxy;
    onClosed: (reason: ClosedReason) => void;
  },
): void {
  const maxPerClient = Math.ceil(options.maxConnections / CLIENT_SHARE);
  const count = countConnections();
  const counted = new WeakSet<Socket>();
  server.maxConnections = options.maxConnections;
  server.on("drop", () => options.onClosed("too_many"));
  server.prependListener("connection", (socket: Socket) => {
    // A connection whose upgrade was ignored is emitted again (upgrade.ts).
    if (counted.has(socket)) return;
    counted.add(socket);
    const address = canonicalAddress(socket.remoteAddress ?? "");
    if (address === null || options.trusts(address)) return;
    const client = limitSubject(address, options.ipv6Prefix);
    if (count(client, socket) <= maxPerClient) return;
    options.onClosed("client");
    socket.destroy();
  });
}
