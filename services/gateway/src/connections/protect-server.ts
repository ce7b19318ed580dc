import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { TrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import type { ClosedReason } from "./connection.ts";
import { limitConnections } from "./connection-limits.ts";
import { type Connections, createConnections } from "./connections.ts";
import { handleInvalidRequests, type InvalidRequests } from "./invalid-requests.ts";
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
 * @param options as for `createConnections` and `handleInvalidRequests`.
 */
export function protectServer(
  server: Server,
  limits: ServerLimits,
  options: Pick<Parameters<typeof createConnections>[2], "start" | "end" | "working"> &
    Pick<Parameters<typeof handleInvalidRequests>[2], "accept" | "docsUrl" | "onRefused"> & {
      clock: Clock;
      onClosed: (reason: ClosedReason) => void;
    },
): { connections: Connections; invalidRequests: InvalidRequests } {
  const { onClosed } = options;
  // Node's own limit drops headers, or doesn't say that it was this one: request-target.ts has it.
  server.maxHeadersCount = 0;
  const event = server instanceof TlsServer ? "secureConnection" : "connection";
  const connections = createConnections(server, event, { ...options, ...limits });
  limitConnections(server, { ...limits, ipv6Prefix: limits.ipv6LimitPrefix, onClosed });
  const invalidRequests = handleInvalidRequests(server, connections, options);
  ignoreUpgrades(server, connections);
  server.once("close", connections[Symbol.dispose]);
  return { connections, invalidRequests };
}
