import grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { Histogram, type Registry } from "prom-client";
import { type Answered, type Handler, streamedCall, unaryCall } from "./grpc-handlers.ts";
import type { Logger } from "./log.ts";
import { StartError } from "./start-error.ts";

/** Connections are renewed this often: grpc-js looks up new nodes only when a connection ends. */
const MAX_CONNECTION_AGE_MS = 30_000;
const MAX_CONNECTION_AGE_GRACE_MS = 5_000;
/** What was asked before a server began to close is answered. */
const STREAM_GRACE_MS = 100;

export interface ServedService {
  definition: grpc.ServiceDefinition;
  /**
   * One handler per method, by its lower-camel-case name. A ServiceError thrown becomes its status; anything else
   * INTERNAL. Of a method with streams it answers each question.
   */
  handlers: Readonly<Record<string, Handler>>;
}

/**
 * Serves services and the standard health service on one port. Starts NOT_SERVING.
 * @param options.host a name or an address, IPv6 without brackets.
 * @param options.port 0 lets the system choose.
 * @param options.registry gets the calls' durations by method and status.
 * @throws StartError when the port cannot be had.
 */
export async function startGrpcServer(options: {
  host: string;
  port: number;
  services: readonly ServedService[];
  log: Logger;
  registry?: Registry;
}) {
  const { host } = options;
  const timed = callDuration(options.registry);
  const address = `${host.includes(":") ? `[${host}]` : host}:${options.port}`;
  const server = new grpc.Server({
    "grpc.max_connection_age_ms": MAX_CONNECTION_AGE_MS,
    "grpc.max_connection_age_grace_ms": MAX_CONNECTION_AGE_GRACE_MS,
  });
  const health = new HealthImplementation({ "": "NOT_SERVING" });
  health.addToServer(server);
  const streams = new Set<{ end(): void }>();
  for (const { definition, handlers } of options.services) {
    const implementation: grpc.UntypedServiceImplementation = {};
    for (const [name, handler] of Object.entries(handlers))
      implementation[name] = (
        isStreamed(definition, name)
          ? streamedCall(name, handler, options.log, timed(name), streams)
          : unaryCall(name, handler, options.log, timed(name))
      ) as grpc.UntypedHandleCall;
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
    /** Lets calls under way finish for up to 2 s; streams end sooner, when those who ask know that they are to leave. */
    close: () =>
      new Promise<void>((resolve) => {
        const endStreams = setTimeout(() => {
          for (const call of streams) call.end();
        }, STREAM_GRACE_MS);
        const timer = setTimeout(() => {
          options.log.warn("gRPC calls that did not end within 2 s were broken off");
          server.forceShutdown();
          resolve();
        }, 2_000);
        server.tryShutdown(() => {
          clearTimeout(endStreams);
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

function isStreamed(definition: grpc.ServiceDefinition, name: string): boolean {
  const method = Object.values(definition).find(({ originalName }) => originalName === name);
  return method?.requestStream === true && method.responseStream;
}

/** Gives each method what to tell of a call's end. */
function callDuration(registry: Registry | undefined) {
  const duration = new Histogram({
    name: "geolookup_grpc_call_duration_seconds",
    help: "Time from a gRPC call's request to its answer, by method and gRPC status.",
    labelNames: ["method", "status"],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: registry ? [registry] : [],
  });
  return (method: string): Answered => {
    const answered = duration.labels(method, grpc.status[grpc.status.OK]);
    return (status, startMs) => {
      const child = status === grpc.status.OK ? answered : duration.labels(method, grpc.status[status]);
      child.observe((performance.now() - startMs) / 1000);
    };
  };
}
