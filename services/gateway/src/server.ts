import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { openClusterStores, openEmbeddedStores } from "./admission-parts.ts";
import type { GatewayConfig } from "./config.ts";
import { openEdgePort } from "./edge/edge-port.ts";
import { openPublicPort, type PublicPort } from "./public-port.ts";
import { connectGeo } from "./upstream/geo-client.ts";

/**
 * Starts the gateway as a separate process, with auth, geo and usage over gRPC. Its readiness doesn't depend on other services.
 * @throws StartError
 */
export async function startGateway(config: GatewayConfig): Promise<PublicPort & { opsPort: number }> {
  await using opened = new AsyncDisposableStack();
  const operations = opened.use(await openOperations("gateway", config));
  const { log, registry, opsPort, setReady } = operations;
  const { stores } = config;
  const clock = systemClock;
  const tls = opened.use(await openInternalTls(config.internalTls, "gateway", { clock, log, registry }));
  const context = { opened, clock, log, registry, tls };

  const locator = opened.use(
    connectGeo(config.geoUrl, log, registry, {
      peer: securePeer(tls, "geo"),
      wantsAccuracies: config.accuracyHeader ?? false,
    }),
  );
  const admission = await (stores.kind === "cluster"
    ? openClusterStores(config, stores, context)
    : openEmbeddedStores(config, context));
  const publicPort = opened.use(
    await openPublicPort(config, { locator, ...admission }, { ...context, setReady, portalUrl: config.portalUrl }),
  );
  const { docsUrl } = publicPort;
  const edge = opened.use(await openEdgePort(config, { locator }, { ...context, docsUrl }));
  log.info({ port: publicPort.port, opsPort, ...edge.ports }, "ready");

  const held = opened.move();
  return { ...publicPort, opsPort, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
