import type { Socket } from "node:net";
import type { Identity } from "../tls/identities.ts";
import type { GrpcLimits } from "./limits.ts";

/** grpc-js adds up to a tenth to the maximum age. */
const AGE_JITTER = 1.1;
/** How much later than grpc-js a connection is closed by force. */
const END_DELAY_MS = 500;

export type ConnectionRefusal = "connections" | "connections_of_address";

/** A connection to a gRPC port. */
export interface GrpcConnection {
  /** The connections and open calls of its address. */
  client: { connections: number; openCalls: number };
  /** The identities in the client's certificate; none without TLS. */
  callers: readonly Identity[];
}

/**
 * Limits how many connections a gRPC port has, in total and from each address, which grpc-js doesn't
 * (docs/decisions/internal-port-limits.md).
 * @param options.inject serves a connection.
 * @param options.secure begins the TLS handshake on a connection, which ends with `secured`. Default: connections have no TLS.
 * @param options.onRefused called for each connection that is refused.
 */
export function createGrpcConnections(options: {
  limits: GrpcLimits;
  inject: (socket: Socket) => void;
  secure?: ((socket: Socket) => void) | undefined;
  onRefused: (reason: ConnectionRefusal) => void;
}) {
  const { limits, inject, secure, onRefused } = options;
  const clients = new Map<string, GrpcConnection["client"]>();
  const connections = new Map<string, { socket: Socket; connection: GrpcConnection }>();

  const refusalOf = (peer: string, client: GrpcConnection["client"]): ConnectionRefusal | null => {
    // grpc-js identifies a call's connection only by this, so a second one with the same name would replace the first.
    if (connections.has(peer)) return "connections_of_address";
    if (connections.size >= limits.maxConnections) return "connections";
    return client.connections >= limits.maxConnectionsPerAddress ? "connections_of_address" : null;
  };
  return {
    /** Serves a new connection, or closes it. */
    accept(socket: Socket): void {
      const { remoteAddress = "", remotePort } = socket;
      const client = clients.get(remoteAddress) ?? { connections: 0, openCalls: 0 };
      const peer = peerOf(remoteAddress, remotePort);
      const refusal = refusalOf(peer, client);
      if (refusal) {
        onRefused(refusal);
        socket.destroy();
        return;
      }
      clients.set(remoteAddress, client);
      client.connections += 1;
      connections.set(peer, { socket, connection: { client, callers: [] } });
      // grpc-js only asks the client to close: one that doesn't, or reads nothing, would keep its place, and the unread responses in memory.
      const maxLifeMs = AGE_JITTER * limits.maxConnectionAgeMs + limits.maxConnectionAgeGraceMs + END_DELAY_MS;
      const end = setTimeout(() => socket.destroy(), maxLifeMs).unref();
      socket.once("close", () => {
        clearTimeout(end);
        connections.delete(peer);
        client.connections -= 1;
        if (client.connections === 0) clients.delete(remoteAddress);
      });
      if (secure) secure(socket);
      else inject(socket);
    },
    /** Serves a connection whose TLS handshake is complete. */
    secured(socket: Socket, callers: readonly Identity[]): void {
      const known = connections.get(peerOf(socket.remoteAddress, socket.remotePort));
      if (!known) return void socket.destroy();
      known.connection.callers = callers;
      inject(socket);
    },
    /** The connection that a call is on; undefined once it has ended. */
    find: (remoteAddress?: string, remotePort?: number): GrpcConnection | undefined =>
      connections.get(peerOf(remoteAddress, remotePort))?.connection,
    destroyAll: () => {
      for (const { socket } of connections.values()) socket.destroy();
    },
  };
}

function peerOf(address = "", port = 0): string {
  return `${address} ${port}`;
}
