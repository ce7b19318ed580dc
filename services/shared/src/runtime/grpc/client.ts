import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fromStatus } from "./status.ts";

const PROTO_FOLDER = fileURLToPath(new URL("../../../../../proto/", import.meta.url));

/**
 * Loads a service of `proto/`, e.g. `loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo")`.
 * Messages arrive as plain objects in lower camel case; unset optional fields are absent, repeated
 * ones are arrays, enums are their names, 64-bit integers are numbers.
 */
export function loadService(file: string, name: string): grpc.ServiceClientConstructor {
  const definition = loadSync(file, {
    includeDirs: [PROTO_FOLDER],
    longs: Number,
    enums: String,
    arrays: true,
    defaults: false,
  });
  let node: unknown = grpc.loadPackageDefinition(definition);
  for (const part of name.split(".")) node = (node as Record<string, unknown>)[part];
  return node as grpc.ServiceClientConstructor;
}

/**
 * Opens a client. For calls that must outlive a dead node, see openNodes.
 * @param target any gRPC target: `127.0.0.1:50051`, `dns:///geo:50051`, `ipv4:127.0.0.1:1,127.0.0.1:2`.
 * @param options what differs from the options below.
 */
export function openClient(
  service: grpc.ServiceClientConstructor,
  target: string,
  options: grpc.ClientOptions = {},
): grpc.Client {
  return new service(target, grpc.credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // A silent connection is given up within 3 s, in use or not.
    "grpc.keepalive_time_ms": 2_000,
    "grpc.keepalive_timeout_ms": 1_000,
    "grpc.keepalive_permit_without_calls": 1,
    // gRPC's own 4 MiB end at a month, by day, of some 8,000 keys in one shard.
    "grpc.max_receive_message_length": 128 * 2 ** 20,
    ...options,
  });
}

/**
 * Calls one unary method.
 * @param method lower camel case, e.g. `locate`.
 * @param deadlineMs how long to wait, connection included.
 * @throws ServiceError
 */
export function callUnary<Response>(
  client: grpc.Client,
  method: string,
  request: object,
  options: { deadlineMs: number; token?: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    startUnary<Response>(client, method, request, options, (error, response) =>
      error ? reject(fromStatus(error)) : resolve(response as Response),
    );
  });
}

/**
 * Starts a call of one unary method, as callUnary does; `done` is called once, later. The call can be cancelled.
 * @throws Error when the client has no such method.
 */
export function startUnary<Response>(
  client: grpc.Client,
  method: string,
  request: object,
  options: { deadlineMs: number; token?: string },
  done: (error: grpc.ServiceError | null, response?: Response) => void,
): grpc.ClientUnaryCall {
  const metadata = new grpc.Metadata();
  if (options.token !== undefined) metadata.set("authorization", `Bearer ${options.token}`);
  const deadline = Date.now() + options.deadlineMs;
  return methodOf<grpc.ClientUnaryCall>(client, method)(request, metadata, { deadline }, done);
}

/**
 * Starts a call of a method with a stream each way.
 * @param options.deadlineMs until it ends, whatever is still under way on it.
 * @throws Error when the client has no such method.
 */
export function startStream(
  client: grpc.Client,
  method: string,
  options: { deadlineMs: number },
): grpc.ClientDuplexStream<object, object> {
  const deadline = Date.now() + options.deadlineMs;
  return methodOf<grpc.ClientDuplexStream<object, object>>(client, method)(new grpc.Metadata(), { deadline });
}

function methodOf<Call>(client: grpc.Client, method: string): (...args: unknown[]) => Call {
  const call = (client as unknown as Record<string, (...args: unknown[]) => Call>)[method];
  if (!call) throw new Error(`no such gRPC method: ${method}`);
  return call.bind(client);
}
