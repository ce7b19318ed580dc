import { join } from "node:path";
import { systemClock } from "@geolookup/shared/runtime/clock.ts";
import { createLog } from "@geolookup/shared/runtime/log.ts";
import { openFileUsageLog } from "@geolookup/shared/runtime/logs/file-usage-log.ts";
import { collectDefaultMetrics, Registry } from "prom-client";
import { connectAuth } from "./auth-client.ts";
import type { GatewayConfig } from "./config.ts";
import { type Edge, openEdge } from "./edge.ts";
import { connectGeo } from "./geo-client.ts";
import { memoryHourlyLimit } from "./hourly/memory-limit.ts";
import { openMeter } from "./usage/meter.ts";

/**
 * The gateway as a process of its own: auth and geo over gRPC, usage in its own folder. Its
 * readiness depends on no other service.
 * @throws StartError
 */
export async function startGateway(config: GatewayConfig): Promise<Edge> {
  const log = createLog("gateway", config.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const authorizer = opened.adopt(connectAuth(config.authUrl), (client) => client.close());
  const locator = opened.adopt(connectGeo(config.geoUrl, log), (client) => client.close());
  const usageLog = opened.adopt(await openFileUsageLog({ folder: join(config.dataDir, "usage-log"), log }), (opened) =>
    opened.close(),
  );
  const meter = opened.adopt(
    await openMeter({ folder: join(config.dataDir, "journals"), usageLog, clock, log, registry }),
    (opened) => opened.close(),
  );
  const hourlyLimit = memoryHourlyLimit({ limit: config.keylessLimit, ipv6Prefix: config.ipv6LimitPrefix, clock });
  const edge = opened.adopt(
    await openEdge(
      config,
      { authorizer, locator, meter, hourlyLimit },
      { log, registry, clock, portalUrl: config.portalUrl },
    ),
    (opened) => opened.close(),
  );
  log.info({ port: edge.port, opsPort: edge.opsPort }, "ready");
  const held = opened.move();
  return { ...edge, close: () => held.disposeAsync() };
}
