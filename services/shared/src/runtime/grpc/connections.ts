import type { Socket } from "node:net";
import { bytesTakenByKernel } from "../http/socket-progress.ts";
import type { Identity } from "../tls/identities.ts";
import type { GrpcLimits } from "./limits.ts";

/** An HTTP/2 client's preface, and a SETTINGS frame without settings (RFC 9113 section 3.4). */
const HANDSHAKE_BYTES = 24 + 9;
const SWEEP_INTERVAL_MS = 1_000;

export type ConnectionRefusal =
  | "connections"
  | "connections_of_address"
  | "connection_rate"
  | "handshake_timeout"
  | "control_frames"
  | "unauthenticated_connection"
  | "stalled_write";

/** The connections and calls of one address. */
interface Client {
  connections: number;
  openCalls: number;
  /** How many new connections it may open now, and when that was last computed (monotonic). */
  connectionTokens: number;
  refilledMs: number;
}

/** A connection to a gRPC port, with its calls and bytes. */
export interface GrpcConnection {
  /** Calls so far, and how many of them are open. */
  calls: number;
  openCalls: number;
  /** Bytes of requests so far. */
  requestBytes: number;
  /** Bytes of responses that have not been read. */
  unsentBytes: number;
  /** Open calls on all connections of its address. */
  client: { openCalls: number };
  /** The identities in the client's certificate; null without TLS. */
  callers: readonly Identity[] | null;
  /** Counts a call without the admin token, or to a service that the client may not call. Too many close the connection. */
  refused(): void;
}

/**
 * Limits the connections of a gRPC port: their number, duration, bytes sent, and unread bytes. grpc-js limits none of these
 * (docs/decisions/internal-port-limits.md).
 * @param options.maxRequestBytes of one request.
 * @param options.inject serves a connection.
 * @param options.secure begins the TLS handshake on a connection, which ends with `secured`. Default: connections have no TLS.
 * @param options.onRefused called for each connection that is refused or closed.
 * @param options.clock monotonic.
 */
export function createGrpcConnections(options: {
  limits: GrpcLimits;
  maxRequestBytes: number;
  inject: (socket: Socket) => void;
  secure?: ((socket: Socket) => void) | undefined;
  onRefused: (reason: ConnectionRefusal) => void;
  clock?: () => number;
}) {
  const { limits, maxRequestBytes, inject, secure, onRefused, clock = () => performance.now() } = options;
  const clients = new Map<string, Client>();
  const connections = new Map<string, ReturnType<typeof track>>();

  const mayOpen = (client: Client, nowMs: number): ConnectionRefusal | null => {
    const { maxConnections, maxConnectionsPerAddress, maxConnectionBurst, maxNewConnectionsPerSecond } = limits;
    const refill = ((nowMs - client.refilledMs) / 1_000) * maxNewConnectionsPerSecond;
    client.connectionTokens = Math.min(maxConnectionBurst, client.connectionTokens + refill);
    client.refilledMs = nowMs;
    if (client.connectionTokens < 1) return "connection_rate";
    client.connectionTokens -= 1;
    if (connections.size >= maxConnections) return "connections";
    return client.connections >= maxConnectionsPerAddress ? "connections_of_address" : null;
  };

  const track = (socket: Socket, client: Client, nowMs: number) => {
    /** The socket that carries HTTP/2; null until the TLS handshake is complete. */
    let plain: Socket | null = secure ? null : socket;
    let refusedCalls = 0;
    let isHandshakeDone = false;
    let seenBytes = 0;
    let allowedBytes = limits.maxControlBytes;
    let accountedCalls = 0;
    let accountedBytes = 0;
    let takenBytes = 0;
    let takenAtMs = nowMs;
    const end = (reason: ConnectionRefusal) => {
      onRefused(reason);
      socket.destroy();
    };
    const connection: GrpcConnection = {
      ...{ calls: 0, openCalls: 0, requestBytes: 0, unsentBytes: 0, client, callers: null },
      refused: () => {
        refusedCalls += 1;
        if (refusedCalls === limits.maxRefusedCallsPerConnection) setImmediate(end, "unauthenticated_connection");
      },
    };
    const problemOf = (atMs: number): ConnectionRefusal | null => {
      const bytesRead = plain?.bytesRead ?? 0;
      isHandshakeDone ||= bytesRead >= HANDSHAKE_BYTES;
      if (!isHandshakeDone && atMs - nowMs >= limits.handshakeTimeoutMs) return "handshake_timeout";
      const earned =
        connection.requestBytes - accountedBytes + (connection.calls - accountedCalls) * limits.headerBytesPerCall;
      [accountedBytes, accountedCalls] = [connection.requestBytes, connection.calls];
      allowedBytes += earned - (bytesRead - seenBytes);
      seenBytes = bytesRead;
      // Requests count once they have arrived completely: allow one of the maximum size for each open call.
      if (allowedBytes + connection.openCalls * maxRequestBytes < 0) return "control_frames";
      allowedBytes = Math.min(limits.maxControlBytes, allowedBytes + limits.maxControlBytesPerSecond);
      const taken = bytesTakenByKernel(socket);
      if (taken !== takenBytes || connection.unsentBytes === 0) [takenBytes, takenAtMs] = [taken, atMs];
      return atMs - takenAtMs >= limits.stalledWriteTimeoutMs ? "stalled_write" : null;
    };
    return {
      connection,
      secured: (decrypted: Socket, callers: readonly Identity[]) => {
        plain = decrypted;
        connection.callers = callers;
      },
      destroy: () => socket.destroy(),
      sweep: (atMs: number) => {
        const problem = problemOf(atMs);
        if (problem) end(problem);
      },
    };
  };

  const sweeping = setInterval(() => {
    const nowMs = clock();
    for (const { sweep } of connections.values()) sweep(nowMs);
    for (const [address, { connections: count, refilledMs }] of clients) {
      const isFull = ((nowMs - refilledMs) / 1_000) * limits.maxNewConnectionsPerSecond >= limits.maxConnectionBurst;
      if (count === 0 && isFull) clients.delete(address);
    }
  }, SWEEP_INTERVAL_MS);
  sweeping.unref();

  return {
    /** Serves a new connection, or closes it. */
    accept(socket: Socket): void {
      const { remoteAddress = "", remotePort } = socket;
      const nowMs = clock();
      const client = clients.get(remoteAddress) ?? {
        ...{ connections: 0, openCalls: 0, connectionTokens: limits.maxConnectionBurst, refilledMs: nowMs },
      };
      clients.set(remoteAddress, client);
      const peer = peerOf(remoteAddress, remotePort);
      // grpc-js identifies a call's connection only by this, so a second one with the same name would replace the first.
      const refusal = connections.has(peer) ? "connections_of_address" : mayOpen(client, nowMs);
      if (refusal) {
        onRefused(refusal);
        socket.destroy();
        return;
      }
      client.connections += 1;
      connections.set(peer, track(socket, client, nowMs));
      socket.once("close", () => {
        client.connections -= 1;
        connections.delete(peer);
      });
      if (secure) secure(socket);
      else inject(socket);
    },
    /** Serves a connection whose TLS handshake is complete. */
    secured(socket: Socket, callers: readonly Identity[]): void {
      const tracked = connections.get(peerOf(socket.remoteAddress ?? "", socket.remotePort));
      if (!tracked) return void socket.destroy();
      tracked.secured(socket, callers);
      inject(socket);
    },
    /** The connection that a call is on; undefined once it has ended. */
    find: (remoteAddress = "", remotePort = 0): GrpcConnection | undefined =>
      connections.get(peerOf(remoteAddress, remotePort))?.connection,
    destroyAll: () => {
      for (const { destroy } of connections.values()) destroy();
    },
    [Symbol.dispose]: () => clearInterval(sweeping),
  };
}

export type GrpcConnections = ReturnType<typeof createGrpcConnections>;

function peerOf(address: string, port: number | undefined): string {
  return `${address} ${port}`;
}
