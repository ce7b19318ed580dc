import { join } from "node:path";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc-server.ts";
import { createLog } from "@geolookup/shared/runtime/log.ts";
import { openFileUsageLogReader } from "@geolookup/shared/runtime/logs/file-usage-log-reader.ts";
import { startOpsServer } from "@geolookup/shared/runtime/ops-server.ts";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { UsageConfig } from "./config.ts";
import { usageServices } from "./rpc.ts";
import { openUsage } from "./usage.ts";

/**
 * Usage as a process of its own, following the log that the gateway writes. The ops port opens
 * first and is not ready until the log is folded.
 * @returns the ports that are open.
 * @throws StartError
 */
export async function startUsage(
  config: UsageConfig,
): Promise<{ port: number; opsPort: number; close(): Promise<void> }> {
  const { host, dataDir, adminToken } = config;
  const log = createLog("usage", config.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let ready = false;
  await using opened = new AsyncDisposableStack();
  const ops = opened.adopt(
    await startOpsServer({ host, port: config.opsPort, registry, ready: () => ready }),
    (server) => server.close(),
  );
  const usageLog = opened.adopt(openFileUsageLogReader({ folder: join(dataDir, "usage-log"), log }), (reader) =>
    reader.close(),
  );
  const usage = opened.adopt(await openUsage({ usageLog }), (usage) => usage.close());
  const grpc = opened.adopt(
    await startGrpcServer({
      address: `${host.includes(":") ? `[${host}]` : host}:${config.port}`,
      services: usageServices({ usage, adminToken }),
      log,
    }),
    (server) => server.close(),
  );
  opened.defer(() => {
    ready = false;
    grpc.setServing(false);
  });
  ready = true;
  grpc.setServing(true);
  log.info({ port: grpc.port, opsPort: ops.port }, "ready");
  const held = opened.move();
  return { port: grpc.port, opsPort: ops.port, close: () => held.disposeAsync() };
}
