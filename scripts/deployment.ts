import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import type { ServiceRecord } from "@geolookup/shared/runtime/files/service-record.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

/** How the service that a command works on runs. "unknown": only its addresses are known. */
export type Deployment = "standalone" | "cluster" | "compose" | "kubernetes" | "unknown";

const SCHEMA = z.object({
  DEPLOYMENT: z.enum(["compose", "kubernetes"], "must be compose or kubernetes").optional(),
});

/** What to do if a part of the deployment isn't running. @param part the service, or `nats` */
const ADVICE: Readonly<Record<Deployment, (part: string) => string>> = {
  standalone: () => "Start it again: with `make start`, or as its systemd unit or container",
  cluster: () => "Start it again with `make cluster`, which printed why it stopped",
  compose: (part) => `\`make up\` starts what is missing, and \`./geolookup logs ${part}\` shows its log`,
  kubernetes: (part) =>
    "See `kubectl -n geolookup get pods` and " +
    `\`kubectl -n geolookup logs --selector app.kubernetes.io/component=${part}\``,
  unknown: () => "Check the address, and that it is running",
};

/** What to do if nothing is found on this machine. */
export const NOTHING_FOUND =
  "Start it with `make start`, `make cluster` or `make up`. If it runs as another user, set DATA_DIR to its data folder; " +
  "if it runs elsewhere, set OPS_TARGETS to its ops ports, or AUTH_URL and ADMIN_TOKEN";

/** Advice, by the way in which the service runs, for a part that isn't running or responding. */
export function adviceFor(deployment: Deployment, part: string): string {
  return ADVICE[deployment](part);
}

/** @param record the service that was found on this machine, if any. @throws StartError */
export function deploymentOf(environment: NodeJS.ProcessEnv, record: ServiceRecord | null = null): Deployment {
  return readEnvironment(SCHEMA, environment).DEPLOYMENT ?? record?.mode ?? "unknown";
}

/** The services of a deployment that must run, and how many of them do. */
export interface Part {
  service: string;
  running: number;
  expected: number;
}

/** Reads `geo=2/3,nats=1/1`, which the scripts around the commands set. @throws StartError */
export function parseParts(setting: string): Part[] {
  return setting.split(",").map((entry) => {
    const [, service = "", running, expected] = /^([a-z0-9-]+)=(\d+)\/(\d+)$/.exec(entry) ?? [];
    if (service === "") throw new StartError(`PARTS: ${JSON.stringify(entry)} is invalid`);
    return { service, running: Number(running), expected: Number(expected) };
  });
}
