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
 * Opens the edge port, if it is configured.
 * @param context.docsUrl base address of the docs site, for links in errors.
 * @returns the port if it is open.
 * @throws StartError if it is in use.
 */
export async function openEdgePort(
  config: PublicPortConfig,
  { locator }: { locator: Locator },
  context: Pick<Operations, "log" | "registry"> & { clock: Clock; docsUrl: string },
): Promise<{ ports: { edgePort?: number } } & AsyncDisposable> {
  const { edge, trustProxy, maxInFlight, maxConnections, ipv6LimitPrefix, reusePort = false } = config;
  if (edge === null) return { ports: {}, [Symbol.asyncDispose]: async () => {} };
  if (trustProxy.trim() === "none")
    context.log.warn(
      "edge port trusts no proxy: set TRUST_PROXY to its address, or the proxy is located, and checked by the country rules, instead of visitors",
    );
  const trusts = parseTrustProxy(trustProxy);
  const { server, drain } = createEdgeServer(
    {
      ...{ trusts, maxInFlight, maxConnections, ipv6LimitPrefix },
      addressOf: createCallerAddress(trusts),
      cacheSeconds: edge.cacheSeconds,
      docsUrl: () => context.docsUrl,
    },
    { decide: createEdgeDecide(edge, locator), metrics: createEdgeMetrics(context.registry) },
    context,
  );
  await listen(server, { host: edge.host, port: edge.port, setting: "EDGE_PORT", reusePort });
  return {
    ports: { edgePort: (server.address() as AddressInfo).port },
    [Symbol.asyncDispose]: async () => {
      drain();
      await closeHttpServer(server, DRAIN_TIMEOUT_MS);
    },
  };
}
