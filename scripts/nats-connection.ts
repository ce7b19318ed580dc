import { setTimeout as delay } from "node:timers/promises";
import { auditRetention } from "@geolookup/shared/logs/audit/settings.ts";
import { setUpStreams } from "@geolookup/shared/logs/set-up-streams.ts";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { NATS_VARIABLES, natsAccess, STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";
import type { CommandContext } from "./command-line.ts";
import { adviceFor, deploymentOf } from "./deployment.ts";
import { exportAdvice, findServices } from "./running-services.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** The client name of all the operator's commands. */
const NAME = "tools";

/**
 * Connects a command to NATS at NATS_URL, like a service; `opened` closes the link.
 * @throws StartError if NATS_URL isn't set, or NATS is unreachable for 10 s; the log says why.
 */
export async function connectToNats(environment: NodeJS.ProcessEnv, opened: AsyncDisposableStack): Promise<NatsLink> {
  const { url, access } = readNats(environment);
  const options = { url, access, name: NAME, log: createLog(NAME, "warn") };
  const nats = opened.use(openNats(options));
  const isConnected = nats.connected().then(() => true);
  if (!(await Promise.race([isConnected, delay(CONNECT_TIMEOUT_MS, false, { ref: false })])))
    throw new StartError(`NATS, at NATS_URL, is unreachable. ${adviceFor(deploymentOf(environment), "nats")}`);
  return nats;
}

/** Reads the NATS settings. @throws StartError if NATS_URL isn't set. */
export function readNats(environment: NodeJS.ProcessEnv) {
  const env = readEnvironment(z.object(NATS_VARIABLES), environment, SECRETS);
  if (env.NATS_URL === undefined) {
    const cluster = findServices(environment).running.find(({ variables }) => variables.NATS_URL);
    if (cluster) throw new StartError(exportAdvice(cluster));
    throw new StartError(
      "For a cluster, set NATS_URL. `make start` has no NATS: its event logs are in DATA_DIR, so stop it and " +
        "copy that folder",
    );
  }
  return { url: env.NATS_URL, access: natsAccess(env) };
}

/** `nats-setup`: creates the streams. @throws StartError */
export async function runNatsSetup({ environment, print }: CommandContext): Promise<number> {
  const { NATS_REPLICAS, AUDIT_RETENTION } = readEnvironment(
    z.object(STORE_VARIABLES).pick({ NATS_REPLICAS: true }).extend({ AUDIT_RETENTION: auditRetention() }),
    environment,
  );
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
  const created = await setUpStreams(jetStream, { replicas: NATS_REPLICAS, auditRetentionMs: AUDIT_RETENTION });
  print(created.length > 0 ? `created ${created.join(", ")}\n` : "all streams exist\n");
  return 0;
}
