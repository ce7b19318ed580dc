import grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import type { Role } from "../../domain/operators.ts";
import type { Identity } from "../tls/identities.ts";
import { connectOptions, type InternalTls } from "../tls/internal-tls.ts";
import { fromStatus } from "./status.ts";

/** A method of a service as its callers see it, e.g. `GEO.Locate`. */
export interface Method<Request, Response> {
  path: string;
  requestSerialize: (request: Request) => Buffer;
  responseDeserialize: (bytes: Buffer) => Response;
}

export interface CallOptions {
  /** How long to wait, connection included. */
  deadlineMs: number;
  /** The admin token, or an operator's. Default: none. */
  token?: string;
  /**
   * Whose call it is, with the role that the caller vouches for; null: only the role that auth knows counts. Only with the admin token,
   * whose owner has signed them in. Default: the token's owner.
   */
  operator?: { name: string; role: Role | null } | undefined;
}

/**
 * Opens a client for all services at a target. For calls that must outlive a dead node, see openNodes.
 * @param target any gRPC target: `127.0.0.1:50051`, `dns:///geo:50051`, `ipv4:127.0.0.1:1,127.0.0.1:2`.
 * @param peer the required identity of the target. Default: any, without TLS.
 * @param options override the options below.
 */
export function openClient(
  target: string,
  peer?: SecurePeer,
  options: grpc.ClientOptions = {},
): grpc.Client & Disposable {
  return new DisposableClient(target, peer?.credentials ?? grpc.credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // Close an unresponsive connection within 3 s, whether or not it is in use.
    "grpc.keepalive_time_ms": 2_000,
    "grpc.keepalive_timeout_ms": 1_000,
    "grpc.keepalive_permit_without_calls": 1,
    // The default of 4 MiB holds a month, by day, of only about 8,000 keys in one shard.
    "grpc.max_receive_message_length": 128 * 2 ** 20,
    ...peer?.options,
    ...options,
  });
}

class DisposableClient extends grpc.Client {
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Calls a unary method. @throws ServiceError */
export function callUnary<Request, Response>(
  client: grpc.Client,
  method: Method<Request, Response>,
  request: NoInfer<Request>,
  options: CallOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    startUnary(client, method, request, options, (error, response) =>
      error ? reject(fromStatus(error)) : resolve(response as Response),
    );
  });
}

/** Starts a call of a unary method; `done` is called once, later. The call can be canceled. */
export function startUnary<Request, Response>(
  client: grpc.Client,
  { path, requestSerialize, responseDeserialize }: Method<Request, Response>,
  request: NoInfer<Request>,
  options: CallOptions,
  done: grpc.requestCallback<Response>,
): grpc.ClientUnaryCall {
  const metadata = new grpc.Metadata();
  // Version 0.1 doesn't know the scheme `Operator`, so it refuses the call instead of making it as ADMIN, whatever the operator's role is.
  const scheme = options.operator === undefined ? "Bearer" : "Operator";
  if (options.token !== undefined) metadata.set("authorization", `${scheme} ${options.token}`);
  if (options.operator !== undefined) {
    metadata.set("operator-name", options.operator.name);
    if (options.operator.role !== null) metadata.set("operator-role", options.operator.role);
  }
  const deadline = Date.now() + options.deadlineMs;
  return client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline }, done);
}

const CHECK_TIMEOUT_MS = 1_000;
const CHECK = healthService.Check as Method<object, { status?: unknown }>;

/**
 * Asks the standard health service over the channel that calls use.
 * @param done called with the result, and why there was no response; empty if there was one.
 */
export function checkHealth(client: grpc.Client, done: (isServing: boolean, reason: string) => void): void {
  startUnary(client, CHECK, {}, { deadlineMs: CHECK_TIMEOUT_MS }, (error, health) =>
    done(error === null && health?.status === "SERVING", error?.details ?? ""),
  );
}

/** What a gRPC client needs to connect to a service over internal TLS. */
export interface SecurePeer {
  credentials: grpc.ChannelCredentials;
  options: grpc.ClientOptions;
}

/**
 * How to connect to a service: over TLS if there is internal TLS, otherwise undefined. grpc-js passes the context to each
 * connection that it opens, so renewed files are used without its experimental certificate provider, which can't require TLS 1.3.
 * This is undocumented, so grpc-js's minor version is pinned.
 */
export function securePeer(tls: InternalTls | null | undefined, service: Identity): SecurePeer | undefined {
  if (!tls) return undefined;
  const { secureContext, servername, ...verification } = connectOptions(tls, service);
  return {
    credentials: grpc.credentials.createFromSecureContext(secureContext, verification),
    options: { "grpc.ssl_target_name_override": servername },
  };
}
