import { setTimeout as delay } from "node:timers/promises";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { NATS_VARIABLES, natsAccess } from "@geolookup/shared/runtime/nats/access.ts";
import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";

const CONNECT_TIMEOUT_MS = 10_000;
/** What the server shows for the operator's commands, all of them. */
const NAME = "tools";
/** What answers come to is below it: a server can keep others from reading it. */
export const INBOX_PREFIX = `_INBOX.${NAME}`;

/**
 * Connects a command to the NATS that the environment names, as a service would; the link is closed with `opened`.
 * @throws StartError when it is not named or cannot be reached within 10 s; why, its log has said.
 */
export async function connectToNats(environment: NodeJS.ProcessEnv, opened: AsyncDisposableStack): Promise<NatsLink> {
  const { url, access } = readNats(environment);
  const options = { url, access, name: NAME, log: createLog(NAME, "warn") };
  const nats = opened.adopt(openNats(options), (link) => link.close());
  const isConnected = nats.connected().then(() => true);
  if (!(await Promise.race([isConnected, delay(CONNECT_TIMEOUT_MS, false, { ref: false })])))
    throw new StartError("NATS is unreachable; check NATS_URL, and that the server is running");
  return nats;
}

/** Which NATS the environment names. @throws StartError when it names none. */
export function readNats(environment: NodeJS.ProcessEnv) {
  const env = readEnvironment(z.object(NATS_VARIABLES), environment, SECRETS);
  if (env.NATS_URL === undefined)
    throw new StartError(
      "What `make start` runs keeps the event logs in DATA_DIR: stop it, and copy the folder. For a cluster, set NATS_URL: " +
        "its logs are there",
    );
  return { url: env.NATS_URL, access: natsAccess(env) };
}
