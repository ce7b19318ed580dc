import { join } from "node:path";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { openFileUsageLogReader } from "@geolookup/shared/logs/usage/file/reader.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { exposeGauge } from "@geolookup/shared/runtime/observability/metrics.ts";
import { openOperations } from "@geolookup/shared/runtime/service/operations.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import type { UsageConfig } from "./config.ts";
import { totalsService, usageService } from "./rpc.ts";
import { followUsage, type UsageOptions } from "./usage.ts";

/**
 * Starts usage as a separate process, which follows the log that gateways write. Its ports are open when this resolves. It is ready
 * once it has read the log, so it waits until NATS is available.
 * @returns the ports, and `ready`, which rejects when the service is closed first. If the NATS stream isn't usable, a
 *   StartError ends the process.
 * @throws StartError
 */
export async function startUsage(config: UsageConfig) {
  const { host, adminToken } = config;
  await using opened = new AsyncDisposableStack();
  const operations = opened.use(await openOperations("usage", config));
  const { log, registry, opsPort, setReady } = operations;
  const context = { clock: systemClock, log, registry };
  const tls = opened.use(await openInternalTls(config.internalTls, "usage", context));
  const logs = openUsageLogs(config, log, registry, opened);
  const usage = opened.use(followUsage({ ...logs, log }));
  exposePosition(registry, usage.position);
  if (config.stores === "embedded") await usage.caughtUp;
  const grpc = opened.use(
    await startGrpcServer({
      host,
      port: config.port,
      services: [usageService({ usage, adminToken }), totalsService(usage)],
      log,
      tls,
      registry,
    }),
  );
  opened.defer(() => {
    setReady(false);
    grpc.setServing(false);
  });
  const ready = usage.caughtUp.then(() => {
    setReady(true);
    grpc.setServing(true);
    log.info({ port: grpc.port, opsPort }, "ready");
  });
  ready.catch((error: unknown) => {
    // An unhandled rejection ends the process with its message (runMain). Closing while it waits isn't a failure.
    if (error instanceof StartError) throw error;
  });
  const held = opened.move();
  return { port: grpc.port, opsPort, ready, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** On embedded stores, the gateway is the only writer of the log and records its months. */
function openUsageLogs(
  config: UsageConfig,
  log: Logger,
  registry: Registry,
  opened: AsyncDisposableStack,
): Pick<UsageOptions, "usageLog" | "monthLog" | "refusalLog"> {
  const { dataDir, natsUrl: url, natsReplicas: replicas } = config;
  if (config.stores === "embedded") {
    const read = (name: string) => opened.use(openFileUsageLogReader({ folder: join(dataDir, name), log }));
    return { usageLog: read("usage-log"), monthLog: null, refusalLog: read("refusal-log") };
  }
  const nats = opened.use(openNats({ url, access: config.natsAccess, name: "usage", log, registry }));
  const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas, log, registry }));
  return { usageLog, monthLog: usageLog };
}

function exposePosition(registry: Registry, position: () => number): void {
  exposeGauge(
    registry,
    "geolookup_usage_log_position",
    "The sequence of the last processed message of the usage log; 0 on embedded stores.",
    position,
  );
}
