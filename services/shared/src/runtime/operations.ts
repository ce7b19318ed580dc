import { collectDefaultMetrics, Registry } from "prom-client";
import { createLog, type Logger } from "./log.ts";
import { startOpsServer } from "./ops-server.ts";

/** What every process shows its operator: a log, metrics, and whether it is ready. */
export interface Operations {
  log: Logger;
  registry: Registry;
  opsPort: number;
  /** What `/readyz` answers; not ready at first. */
  setReady(isReady: boolean): void;
  close(): Promise<void>;
}

/**
 * Opens the log, the metrics and the ops port. It is the first thing that a process opens and the last
 * that it closes, so that a start and a stop can be watched.
 * @param service its name in the log.
 * @throws StartError when the port is taken.
 */
export async function openOperations(
  service: string,
  config: { host: string; opsPort: number; logLevel: string },
): Promise<Operations> {
  const log = createLog(service, config.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let isReady = false;
  const server = await startOpsServer({ host: config.host, port: config.opsPort, registry, ready: () => isReady });
  return {
    log,
    registry,
    opsPort: server.port,
    setReady: (value) => {
      isReady = value;
    },
    close: () => server.close(),
  };
}
