import { destination, type Logger, pino } from "pino";

export type { Logger };

/**
 * A service's logger: JSON lines on standard error, written synchronously so that nothing is lost
 * when a process ends. Never log a request, an address or a key: the gateway's request-log.ts lists what may be logged of a request.
 */
export function createLog(service: string, level: string): Logger {
  const formatters = { level: (name: string) => ({ level: name }) };
  return pino(
    { level, formatters, base: { service }, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ dest: 2, sync: true }),
  );
}
