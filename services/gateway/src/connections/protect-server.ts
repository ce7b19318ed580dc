import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { limitSubject } from "@geolookup/shared/domain/limit-subject.ts";
import { canonicalAddress, type TrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { countConnections } from "@geolookup/shared/runtime/http/client-limits.ts";
import type { Exchange, RequestHead, ResponseWriter } from "../request/exchange.ts";
import type { ClosedReason } from "./connection.ts";
import { type Connections, createConnections } from "./connections.ts";
import { handleInvalidRequests, refuseInvalid } from "./invalid-requests.ts";
import { ignoreUpgrades } from "./upgrade.ts";

/** Options of the HTTP servers of the public port and the edge port. */
export const SERVER_OPTIONS = {
  requireHostHeader: false,
  /** Timeouts for a request's headers, and for the whole request. Bodies are read and dropped. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
};

/** Limits of a server that anyone can reach. */
export interface ServerLimits {
  /** Requests in progress at once. The server decides what happens to more. */
  maxInFlight: number;
  /** Connections that may be open at once; more are closed. */
  maxConnections: number;
  /** KEEP_ALIVE_SECONDS. */
  keepAliveSeconds: number;
  ipv6LimitPrefix: number;
  trusts: TrustProxy;
  /** For tests: milliseconds between two checks whether callers read their responses. */
  checkIntervalMs?: number;
}

/**
 * Protects a server from its clients: limits connections, shares capacity among them, gives every invalid request exactly
 * one response, and ignores upgrades. Stops watching when the server closes.
 * @param options.accept makes the exchange of a request, and tells whether the request is valid.
 * @param options.acceptFast makes the exchange of a request of the fast path, which isn't used with TLS; null leaves it to Node.
 * @param options.serve responds to a valid request, and resolves once the response is written. Never rejects.
 * @param options.sent takes a request whose response was sent, or whose connection has closed.
 * @param options.onClosed takes the reason for every connection that is closed because it exceeds a limit.
 * @param options.onRefused is called for every error that is sent without an exchange.
 */
export function protectServer(
  server: Server,
  limits: ServerLimits,
  options: {
    accept: (req: IncomingMessage, res: ServerResponse) => Exchange;
    acceptFast: (req: RequestHead, res: ResponseWriter) => Exchange | null;
    serve: (exchange: Exchange) => Promise<void>;
    sent: (exchange: Exchange) => void;
    onClosed: (reason: ClosedReason) => void;
    onRefused: () => void;
    docsUrl: () => string;
    clock: Clock;
  },
): Connections {
  // Node's own limit drops headers, or doesn't say that it was this one: request-target.ts has it.
  server.maxHeadersCount = 0;
  const isSecure = server instanceof TlsServer;
  const connections = createConnections(server, isSecure ? "secureConnection" : "connection", {
    ...limits,
    acceptFast: isSecure ? null : options.acceptFast,
    serve: (exchange) => {
      if (exchange.unreadable === null) return options.serve(exchange);
      refuseInvalid(exchange, exchange.unreadable, options);
      return Promise.resolve();
    },
    sent: options.sent,
    onClosed: options.onClosed,
  });
  // Node emits those with `Expect` separately.
  for (const event of ["request", "checkContinue", "checkExpectation"])
    server.on(event, (req: IncomingMessage, res: ServerResponse) => connections.accept(options.accept(req, res)));
  limitConnections(server, { ...limits, ipv6Prefix: limits.ipv6LimitPrefix, onClosed: options.onClosed });
  handleInvalidRequests(server, connections, options);
  ignoreUpgrades(server, connections);
  server.once("close", connections[Symbol.dispose]);
  return connections;
}

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
