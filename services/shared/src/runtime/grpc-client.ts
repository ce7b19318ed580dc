import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fromStatus } from "./grpc-status.ts";

const PROTO_FOLDER = fileURLToPath(new URL("../../../../proto/", import.meta.url));

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

/** Opens a client. `target` is any gRPC target: `127.0.0.1:50051`, `dns:///geo:50051`, `ipv4:127.0.0.1:1,127.0.0.1:2`. */
export function openClient(service: grpc.ServiceClientConstructor, target: string): grpc.Client {
  return new service(target, grpc.credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 2_000,
    // gRPC's own 4 MiB end at a list of some 20,000 keys.
    "grpc.max_receive_message_length": 128 * 2 ** 20,
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
  const metadata = new grpc.Metadata();
  if (options.token !== undefined) metadata.set("authorization", `Bearer ${options.token}`);
  return new Promise((resolve, reject) => {
    const methods = client as unknown as Record<string, (...args: unknown[]) => void>;
    const call = methods[method];
    if (!call) throw new Error(`no such gRPC method: ${method}`);
    call.call(
      client,
      request,
      metadata,
      { deadline: Date.now() + options.deadlineMs },
      (error: grpc.ServiceError | null, response: Response) => (error ? reject(fromStatus(error)) : resolve(response)),
    );
  });
}
