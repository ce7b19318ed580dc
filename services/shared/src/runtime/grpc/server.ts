import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import grpc from "@grpc/grpc-js";
import { Histogram, Registry } from "@prometheus-io/client";
import { HealthImplementation } from "grpc-health-check";
import type { Caller } from "../../domain/operators.ts";
import { listenEverywhere } from "../http/listen.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted } from "../observability/log-budget.ts";
import { createTally } from "../observability/metrics.ts";
import type { Identity } from "../tls/identities.ts";
import type { InternalTls } from "../tls/internal-tls.ts";
import { callersOf, serverOptions, superviseServer } from "../tls/secure-server.ts";
import { limitCalls } from "./calls.ts";
import { createGrpcConnections } from "./connections.ts";
import { DEFAULT_MAX_REQUEST_BYTES, GRPC_LIMITS, type GrpcLimits, MAX_RESPONSE_BYTES } from "./limits.ts";
import { type ServedService, unaryCall } from "./served-service.ts";

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Serves gRPC services and the standard health service on one port. Starts NOT_SERVING.
 * @param options.host a name or an address, IPv6 without brackets.
 * @param options.port 0 lets the system choose.
 * @param options.tls accept only TLS clients that may call a service (identities.ts). Default: plaintext, any client.
 * @param options.registry collects call durations by method and status, and refusals by reason.
 * @param options.limits for tests: overrides GRPC_LIMITS.
 * @throws StartError when the port isn't available.
 */
export async function startGrpcServer(options: {
  host: string;
  port: number;
  /** Shares the port with other processes (Linux). */
  reusePort?: boolean;
  /** The environment variable that sets the port, for advice. Default: PORT. */
  setting?: string;
  services: readonly ServedService[];
  log: Logger;
  tls?: InternalTls | null;
  registry?: Registry;
  limits?: Partial<GrpcLimits>;
}) {
  const { log, tls, registry = new Registry() } = options;
  const maxRequestBytes = Math.max(
    ...options.services.map((service) => service.maxRequestBytes ?? DEFAULT_MAX_REQUEST_BYTES),
    DEFAULT_MAX_REQUEST_BYTES,
  );
  const limits: GrpcLimits = { ...GRPC_LIMITS, ...options.limits };
  const refusals = createTally(registry, {
    name: "geolookup_grpc_refusals_total",
    help: "Connections and calls that a gRPC port refused or ended, by reason.",
    labelNames: ["reason"],
  });
  const onRefused = (reason: string) => {
    refusals(reason).count += 1;
  };
  const identified = new Map<string, (metadata: grpc.Metadata) => Caller | Promise<Caller>>();
  const secure =
    tls &&
    secureConnections({
      ...{ tls, log },
      onSecured: (socket, callers) => connections.secured(socket, callers),
      onFailed: () => onRefused("tls"),
    });
  const connections = createGrpcConnections({
    ...{ limits, onRefused },
    secure: secure ?? undefined,
    inject: (socket) => injector.injectConnection(socket),
  });
  const server = new grpc.Server({
    "grpc.max_connection_age_ms": limits.maxConnectionAgeMs,
    "grpc.max_connection_age_grace_ms": limits.maxConnectionAgeGraceMs,
    "grpc.max_concurrent_streams": limits.maxCallsPerConnection,
    "grpc.max_receive_message_length": maxRequestBytes,
    "grpc.max_send_message_length": MAX_RESPONSE_BYTES,
    // Channelz would keep clients' addresses in memory, and nothing reads it.
    "grpc.enable_channelz": 0,
    interceptors: [
      limitCalls({
        ...{ limits, onRefused, log, find: connections.find },
        identifyOf: (path) => identified.get(path),
        checksCallers: Boolean(tls),
      }),
    ],
  });
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const health = new HealthImplementation({ "": "NOT_SERVING" });
  health.addToServer(server);
  const timed = callDuration(registry);
  for (const service of options.services) {
    const { definition, handlers, identify } = service;
    const implementation: grpc.UntypedServiceImplementation = {};
    const methods: Record<string, grpc.MethodDefinition<unknown, unknown>> = {};
    for (const [key, method] of Object.entries(definition)) {
      const { originalName: name = key, path } = method;
      methods[key] = { ...method, responseSerialize: loggingFailures(method.responseSerialize, name, log) };
      const handler = handlers[key];
      if (handler) implementation[name] = unaryCall({ name, handler, log, onHandled: timed(name) });
      if (identify) identified.set(path, (metadata) => identify(metadata, key));
    }
    server.addService(methods, implementation);
  }
  const listening = await listenEverywhere(options, connections.accept);
  return {
    port: listening.port,
    setServing: (serving: boolean) => health.setStatus("", serving ? "SERVING" : "NOT_SERVING"),
    /** Gives open calls up to 2 s to finish. */
    [Symbol.asyncDispose]: async () => {
      const cancel = setTimeout(() => {
        log.warn("gRPC calls still open after 2 s canceled");
        server.forceShutdown();
        connections.destroyAll();
      }, CLOSE_TIMEOUT_MS);
      const ended = listening[Symbol.asyncDispose]();
      // Its callback is called too early: it doesn't wait for injected connections.
      server.tryShutdown(() => {});
      await ended;
      clearTimeout(cancel);
    },
  };
}

/** grpc-js serializes a response after the call was handled, and keeps the cause of a failure to itself. */
function loggingFailures(serialize: (response: unknown) => Buffer, method: string, log: Logger) {
  return (response: unknown): Buffer => {
    try {
      return serialize(response);
    } catch (error) {
      budgeted(log).error({ err: error, method }, "unexpected error in gRPC call");
      throw error;
    }
  };
}

/** Returns a function that gives each method its callback. */
function callDuration(registry: Registry) {
  const duration = new Histogram({
    name: "geolookup_grpc_call_duration_seconds",
    help: "Time from the request to the response of gRPC calls, by method and status.",
    labelNames: ["method", "status"],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  });
  return (method: string) => (status: grpc.status, startMs: number) =>
    duration.observe({ method, status: grpc.status[status] }, (performance.now() - startMs) / 1000);
}

/**
 * Adds TLS to accepted connections.
 * @param options.onSecured called with a connection whose handshake is complete, and its client's identities.
 * @param options.onFailed called for each client that is refused.
 * @returns a function that begins the handshake on a connection.
 */
export function secureConnections(options: {
  tls: InternalTls;
  log: Logger;
  onSecured: (socket: TLSSocket, callers: readonly Identity[]) => void;
  onFailed: () => void;
}): (socket: Socket) => void {
  const { tls, log, onSecured, onFailed } = options;
  // It never listens: connections are bounded before they get here.
  const server = createServer({ ...serverOptions(tls), ALPNProtocols: ["h2"] });
  superviseServer(server, tls, { port: "gRPC", log, onFailed });
  server.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", () => {});
    onSecured(socket, callersOf(tls, socket));
  });
  return (socket) => void server.emit("connection", socket);
}
