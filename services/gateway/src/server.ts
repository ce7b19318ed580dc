import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { openOperations } from "@geolookup/shared/runtime/lifecycle/operations.ts";
import { openClusterStores, openEmbeddedStores } from "./admission-parts.ts";
import type { GatewayConfig } from "./config.ts";
import { type Edge, openEdge } from "./public-port.ts";
import { connectGeo } from "./upstream/geo-client.ts";

/**
 * The gateway as a process of its own: auth, geo and usage over gRPC. Its readiness depends on no
 * other service.
 * @throws StartError
 */
export async function startGateway(config: GatewayConfig): Promise<Edge & { opsPort: number }> {
  await using opened = new AsyncDisposableStack();
  const operations = opened.adopt(await openOperations("gateway", config), (operations) => operations.close());
  const { log, registry, opsPort, setReady } = operations;
  const context = { opened, clock: systemClock, log, registry };
  const { stores } = config;

  const locator = opened.adopt(connectGeo(config.geoUrl, log, registry), (client) => client.close());
  const admission = await (stores.kind === "cluster"
    ? openClusterStores(config, stores, context)
    : openEmbeddedStores(config, context));
  const edge = opened.adopt(
    await openEdge(config, { locator, ...admission }, { ...context, setReady, portalUrl: config.portalUrl }),
    (edge) => edge.close(),
  );
  log.info({ port: edge.port, opsPort }, "ready");

  const held = opened.move();
  return { ...edge, opsPort, close: () => held.disposeAsync() };
}
