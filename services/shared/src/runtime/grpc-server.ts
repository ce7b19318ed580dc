import grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { ServiceError } from "../domain/service-error.ts";
import { statusOf } from "./grpc-status.ts";
import type { Logger } from "./log.ts";
import { StartError } from "./start-error.ts";

/** Connections are renewed this often: grpc-js looks up new nodes only when a connection ends. */
const MAX_CONNECTION_AGE_MS = 30_000;
const MAX_CONNECTION_AGE_GRACE_MS = 5_000;

export type Handler = (request: never, metadata: grpc.Metadata) => Promise<unknown> | unknown;

export interface ServedService {
  definition: grpc.ServiceDefinition;
  /** One handler per method, by its lower-camel-case name. A ServiceError thrown becomes its status; anything else INTERNAL. */
  handlers: Readonly<Record<string, Handler>>;
}

/**
 * Serves unary services and the standard health service on one port. Starts NOT_SERVING.
 * @param options.host a name or an address, IPv6 without brackets.
 * @param options.port 0 lets the system choose.
 * @throws StartError when the port cannot be had.
 */
export async function startGrpcServer(options: {
  host: string;
  port: number;
  services: readonly ServedService[];
  log: Logger;
}) {
  const { host } = options;
  const address = `${host.includes(":") ? `[${host}]` : host}:${options.port}`;
  const server = new grpc.Server({
    "grpc.max_connection_age_ms": MAX_CONNECTION_AGE_MS,
    "grpc.max_connection_age_grace_ms": MAX_CONNECTION_AGE_GRACE_MS,
  });
  const health = new HealthImplementation({ "": "NOT_SERVING" });
  health.addToServer(server);
  for (const { definition, handlers } of options.services) {
    const implementation: grpc.UntypedServiceImplementation = {};
    for (const [name, handler] of Object.entries(handlers))
      implementation[name] = unaryCall(name, handler, options.log) as grpc.UntypedHandleCall;
    server.addService(definition, implementation);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(new StartError(`cannot listen on ${address} for gRPC: ${error.message}`)) : resolve(bound),
    );
  });
  return {
    port,
    setServing: (serving: boolean) => health.setStatus("", serving ? "SERVING" : "NOT_SERVING"),
    /** Lets calls under way finish for up to 2 s. */
    close: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, 2_000);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

function unaryCall(name: string, handler: Handler, log: Logger): grpc.handleUnaryCall<never, unknown> {
  return (call, callback) => {
    void (async () => {
      try {
        callback(null, await handler(call.request, call.metadata));
      } catch (error) {
        if (error instanceof ServiceError) {
          callback({ code: statusOf(error.code), details: error.message });
        } else {
          log.error({ err: error, method: name }, "an unexpected error in a gRPC call");
          callback({ code: grpc.status.INTERNAL, details: "internal error; the cause is in the service's log" });
        }
      }
    })();
  };
}
