import { type Child, logLines, startChild, stopChild, waitForOutput } from "./child.ts";

const START_TIMEOUT_MS = 80_000;

/** A process of a service, with its output so far. */
export interface ServiceProcess extends Child {
  /** Resolves with the fields of its log line "ready". @throws Error with its output if it exits first or takes too long. */
  ready(timeoutMs?: number): Promise<{ port: number; opsPort: number; portalPort: number }>;
  /** Stops it with SIGTERM, unless it has exited. @returns its exit status. */
  stop(): Promise<number | null>;
}

/**
 * Starts a service from its main.ts, by default on free ports.
 * @param environment all of its settings.
 */
export function startService(
  service: "auth" | "geo" | "portal" | "standalone" | "usage",
  environment: Readonly<Record<string, string>>,
): ServiceProcess {
  const child = startChild(`services/${service}/src/main.ts`, [], { PORT: "0", OPS_PORT: "0", ...environment });
  const readyLine = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
  return {
    ...child,
    async ready(timeoutMs = START_TIMEOUT_MS) {
      const { port, opsPort, portalPort } = await waitForOutput(child, `${service} to be ready`, readyLine, timeoutMs);
      return { port: Number(port), opsPort: Number(opsPort), portalPort: Number(portalPort) };
    },
    stop: async () => (child.hasEnded() ? child.exited : stopChild(child)),
  };
}
