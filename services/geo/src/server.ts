import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { type InternalTls, openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import type { GeoConfig } from "./config.ts";
import { geoService } from "./geo-service.ts";
import { openLocator } from "./locator.ts";

/**
 * Copies a geo data server's files into a folder, and keeps the copy current. Its promise resolves when there are databases to
 * start with. `main.ts` takes it from services/geo-data, which checks databases with this service.
 */
export type Follow = (options: {
  server: string;
  folder: string;
  tls: InternalTls | null;
  stopping: AbortSignal | undefined;
  log: Logger;
  registry: Registry;
}) => Promise<AsyncDisposable & { available: Promise<void> }>;

/**
 * Starts the geo service: proto/geo/v1 on its gRPC port, health and metrics on its ops port.
 * @param stopping aborts the start.
 * @param follow is needed if the configuration names a geo data server.
 * @throws StartError if a database can't be used or a port isn't available.
 */
export async function startGeo(config: GeoConfig, stopping?: AbortSignal, follow?: Follow) {
  await using resources = new AsyncDisposableStack();
  const operations = resources.use(await openOperations("geo", config));
  const { log, registry, opsPort, setReady } = operations;
  const { databases, geofeeds, acceptsLoss, mirror } = config;
  const context = { clock: systemClock, log, registry };
  const tls = resources.use(await openInternalTls(config.internalTls, "geo", context));
  if (mirror && follow) await resources.use(await follow({ ...mirror, tls, stopping, log, registry })).available;
  const locator = resources.use(await openLocator({ databases, geofeeds, acceptsLoss, stopping, log, registry }));
  const grpcServer = resources.use(
    await startGrpcServer({
      host: config.host,
      port: config.port,
      services: [geoService(locator)],
      log,
      tls,
      registry,
    }),
  );
  resources.defer(() => {
    setReady(false);
    grpcServer.setServing(false);
  });
  for (const { name, databaseType, attribution, attributionUrl } of locator.databases())
    log.info({ database: name, databaseType, attribution, attributionUrl }, "database loaded");
  setReady(true);
  grpcServer.setServing(true);
  log.info({ port: grpcServer.port, opsPort }, "ready");

  const running = resources.move();
  return { port: grpcServer.port, opsPort, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
