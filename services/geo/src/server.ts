import { loadService } from "@geolookup/shared/runtime/grpc-client.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc-server.ts";
import { createLog } from "@geolookup/shared/runtime/log.ts";
import { startOpsServer } from "@geolookup/shared/runtime/ops-server.ts";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { GeoConfig } from "./config.ts";
import { openLocator } from "./locator.ts";
import { locatedToWire } from "./wire.ts";

/**
 * Starts the geo service: proto/geo/v1 on its gRPC port, health and metrics on its ops port.
 * @throws StartError when a database cannot be used or a port cannot be had.
 */
export async function startGeo(config: GeoConfig) {
  const log = createLog("geo", config.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  await using resources = new AsyncDisposableStack();

  let ready = false;
  const ops = resources.adopt(
    await startOpsServer({ host: config.host, port: config.opsPort, registry, ready: () => ready }),
    (server) => server.close(),
  );
  const locator = resources.adopt(await openLocator({ databases: config.databases, log, registry }), (opened) =>
    opened.close(),
  );
  const grpcServer = resources.adopt(
    await startGrpcServer({
      host: config.host,
      port: config.port,
      services: [
        {
          definition: loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo").service,
          handlers: {
            locate: (request: { addresses: string[] }) => ({
              results: request.addresses.map((ip) => locatedToWire(locator.locate(ip))),
            }),
            listDatabases: () => ({ databases: locator.databases() }),
          },
        },
      ],
      log,
    }),
    (server) => server.close(),
  );
  resources.defer(() => {
    ready = false;
    grpcServer.setServing(false);
  });
  for (const { name, databaseType, attribution, attributionUrl } of locator.databases())
    log.info({ database: name, databaseType, attribution, attributionUrl }, "a database is in use");
  ready = true;
  grpcServer.setServing(true);
  log.info({ port: grpcServer.port, opsPort: ops.port }, "ready");

  const running = resources.move();
  return { port: grpcServer.port, opsPort: ops.port, close: () => running.disposeAsync() };
}
