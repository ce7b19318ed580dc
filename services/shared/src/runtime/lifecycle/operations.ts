import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { restrictSecretFiles } from "../files/secret-files.ts";
import { startOpsServer } from "../http/ops-server.ts";
import { createLog, type Logger } from "../observability/log.ts";

/** Of the repository; services have no versions of their own. */
const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../../package.json"), "utf8"),
).version;

/** At prom-client's 10 ms, measuring the event loop's lag takes half of the CPU time of an idle process. */
const LAG_SAMPLED_EVERY_MS = 50;

/** What every process offers its operator: a log, metrics, and whether it is ready. */
export interface Operations extends AsyncDisposable {
  log: Logger;
  registry: Registry;
  opsPort: number;
  /** Sets the response of `/readyz`; not ready at first. */
  setReady(isReady: boolean): void;
}

/**
 * Opens the log, the metrics and the ops port. A process opens these first and closes them
 * last, so that its start and stop can be observed.
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
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  new Gauge({
    name: "geolookup_build_info",
    help: "Always 1; the label has the running version.",
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
