import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectDefaultMetrics, Gauge, Registry } from "@prometheus-io/client";
import { restrictSecretFiles } from "../files/secret-files.ts";
import { startOpsServer } from "../http/ops-server.ts";
import { createLog, type Logger } from "../observability/log.ts";

/** The repository's version; services have no separate versions. */
export const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../../package.json"), "utf8"),
).version;

/** At the client's default of 10 ms, measuring event loop lag takes half the CPU time of an idle process. */
const LAG_SAMPLED_EVERY_MS = 50;
/** The client's default is 100 ms. */
const UTILIZATION_SAMPLED_EVERY_MS = 1_000;

/** What every process offers its operator: a log, metrics, and whether it is ready. */
export interface Operations extends AsyncDisposable {
  log: Logger;
  registry: Registry;
  opsPort: number;
  /** Sets the response of `/readyz`; initially not ready. */
  setReady(isReady: boolean): void;
}

/**
 * Opens the log, the metrics and the ops port. A process opens these first and closes them last, so that its startup and shutdown
 * can be observed.
 * @param service its name in the log.
 * @param config.exposedSecretFiles its own secret files that other users can access; access is restricted to the owner.
 * @throws StartError if the port is in use.
 */
export async function openOperations(
  service: string,
  config: { host: string; opsPort: number; logLevel: string; exposedSecretFiles?: readonly string[] },
): Promise<Operations> {
  const log = createLog(service, config.logLevel);
  restrictSecretFiles(config.exposedSecretFiles ?? [], log);
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS,
    eventLoopUtilizationTimeout: UTILIZATION_SAMPLED_EVERY_MS,
  });
  new Gauge({
    name: "geolookup_build_info",
    help: "Always 1; the label is the running version.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  let isReady = false;
  const server = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    registry,
    ready: () => isReady,
    status: { service, version: VERSION },
  });
  return {
    log,
    registry,
    opsPort: server.port,
    setReady: (value) => {
      isReady = value;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
