import type { Server } from "node:http";
import type { Socket } from "node:net";
import { limitSubject } from "@geolookup/shared/domain/ip-words.ts";
import { canonicalAddress, type TrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { countConnections } from "@geolookup/shared/runtime/http/client-limits.ts";
import type { ClosedReason } from "./connection.ts";

/** How long idle connections stay open at most while more than half of MAX_CONNECTIONS are open. */
const CROWDED_KEEP_ALIVE_SECONDS = 65;

/** One client opens at most one in this many of all connections. */
const CLIENT_SHARE = 4;

/**
 * Limits how many connections are open, in total and for each client: an IPv4 address or an IPv6 network. Trusted proxies
 * carry many clients, so only the total applies to them. Further connections are closed immediately.
 * Addresses are held in memory only, for as long as their connections last.
 *
 * Idle connections stay open for `keepAliveSeconds`, but not for longer than 65 s while more than half of all places are taken:
 * visitors' browsers would otherwise fill them.
 */
export function limitConnections(
  server: Server,
  options: {
    maxConnections: number;
    keepAliveSeconds: number;
    ipv6Prefix: number;
    trusts: TrustProxy;
    onClosed: (reason: ClosedReason) => void;
  },
): void {
  const { maxConnections, keepAliveSeconds } = options;
  const maxPerClient = Math.ceil(maxConnections / CLIENT_SHARE);
  const count = countConnections();
  const counted = new WeakSet<Socket>();
  let open = 0;
  const changeOpen = (by: number) => {
    open += by;
    const seconds =
      open > maxConnections / 2 ? Math.min(keepAliveSeconds, CROWDED_KEEP_ALIVE_SECONDS) : keepAliveSeconds;
    server.keepAliveTimeout = seconds * 1_000;
  };
  changeOpen(0);
  server.maxConnections = maxConnections;
  server.on("drop", () => options.onClosed("too_many"));
  server.prependListener("connection", (socket: Socket) => {
    // A connection whose upgrade was ignored is emitted again (upgrade.ts).
    if (counted.has(socket)) return;
    counted.add(socket);
    changeOpen(1);
    socket.once("close", () => changeOpen(-1));
    const address = canonicalAddress(socket.remoteAddress ?? "");
    if (address === null || options.trusts(address)) return;
    const client = limitSubject(address, options.ipv6Prefix);
    if (count(client, socket) <= maxPerClient) return;
    options.onClosed("client");
    socket.destroy();
  });
}
