import { setTimeout as delay } from "node:timers/promises";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env.ts";
import { natsUrl } from "@geolookup/shared/runtime/env-addresses.ts";
import { createLog } from "@geolookup/shared/runtime/log.ts";
import { type NatsLink, openNats } from "@geolookup/shared/runtime/nats.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { z } from "zod";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects a command to the NATS of NATS_URL; the link is closed with `opened`.
 * @param name what the server shows for this client.
 * @throws StartError when it is not set or cannot be reached within 10 s.
 */
export async function connectToNats(
  environment: NodeJS.ProcessEnv,
  name: string,
  opened: AsyncDisposableStack,
): Promise<NatsLink> {
  const { NATS_URL: url } = readEnvironment(z.object({ NATS_URL: natsUrl() }), environment, SECRETS);
  const nats = opened.adopt(openNats({ url, name, log: createLog(name, "error") }), (link) => link.close());
  const isConnected = nats.connected().then(() => true);
  if (!(await Promise.race([isConnected, delay(CONNECT_TIMEOUT_MS, false, { ref: false })])))
    throw new StartError("NATS cannot be reached; look at NATS_URL, and whether it runs");
  return nats;
}
