import type { AddressInfo } from "node:net";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Locator } from "@geolookup/shared/domain/locate.ts";
import { createCallerAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { closeHttpServer } from "@geolookup/shared/runtime/http/close-server.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import type { Operations } from "@geolookup/shared/runtime/service/operations.ts";
import type { PublicPortConfig } from "../config.ts";
import { createEdgeDecide } from "./edge-decision.ts";
import { createEdgeMetrics } from "./edge-metrics.ts";
import { createEdgeServer } from "./edge-server.ts";

/** How long requests in progress may take to finish when the port closes. Each is one lookup, which has a deadline of 250 ms. */
const DRAIN_TIMEOUT_MS = 1_000;

/**
 * Opens the edge port, and the one for Envoy's gRPC calls, if they are configured.
 * @param context.docsUrl base address of the docs site, for links in errors.
 * @returns the ports that are open.
 * @throws StartError if a port is in use.
 */
export async function openEdgePort(
  config: PublicPortConfig,
  { locator }: { locator: Locator },
  context: Pick<Operations, "log" | "registry"> & { clock: Clock; docsUrl: string },
): Promise<{ ports: { edgePort?: number; edgeGrpcPort?: number } } & AsyncDisposable> {
  const { edge, trustProxy, maxInFlight, reusePort = false } = config;
  const ports: { edgePort?: number; edgeGrpcPort?: number } = {};
  if (edge === null) return { ports, [Symbol.asyncDispose]: async () => {} };
  if (trustProxy.trim() === "none")
    context.log.warn(
      "edge port trusts no proxy: set TRUST_PROXY to its address, or the proxy is located, and checked by the country rules, instead of visitors",
    );
  const trusts = parseTrustProxy(trustProxy);
  const shared = { trusts, maxInFlight, docsUrl: () => context.docsUrl };
  const parts = { decide: createEdgeDecide(edge, locator), metrics: createEdgeMetrics(context.registry) };
  await using opened = new AsyncDisposableStack();
  if (edge.port !== null) {
    const { maxConnections, keepAliveSeconds, ipv6LimitPrefix } = config;
    const addressOf = createCallerAddress(trusts);
    const limits = { maxConnections, keepAliveSeconds, ipv6LimitPrefix };
    const settings = { ...shared, ...limits, cacheSeconds: edge.cacheSeconds, addressOf };
    const { server, drain } = createEdgeServer(settings, parts, context);
    await listen(server, { host: edge.host, port: edge.port, setting: "EDGE_PORT", reusePort });
    opened.defer(async () => {
      drain();
      await closeHttpServer(server, DRAIN_TIMEOUT_MS);
    });
    ports.edgePort = (server.address() as AddressInfo).port;
  }
  if (edge.grpcPort !== null) {
    // gRPC is loaded only if it's needed.
    const { startEdgeGrpc } = await import("./edge-grpc.ts");
    const settings = { ...shared, host: edge.host, port: edge.grpcPort, reusePort };
    ports.edgeGrpcPort = opened.use(await startEdgeGrpc(settings, parts, context.log)).port;
  }
  const closing = opened.move();
  return { ports, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
