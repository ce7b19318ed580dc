import { KEY_STREAM, newKeyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import { connectToNats } from "../nats-connection.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Replaces the stream KEYS with an empty one, as a person decided.
 * @param force discards its events, if it has any.
 * @returns their number.
 * @throws StartError
 */
export async function startNewKeyStream(environment: NodeJS.ProcessEnv, force: boolean): Promise<number> {
  const { NATS_REPLICAS } = readEnvironment(z.object({ NATS_REPLICAS: STORE_VARIABLES.NATS_REPLICAS }), environment);
  await using opened = new AsyncDisposableStack();
  const nats = await connectToNats(environment, opened);
  const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
  const info = await jetStream.findStream(KEY_STREAM);
  const events = info?.state.messages ?? 0;
  if (events > 0 && !force)
    throw new StartError(
      `the stream ${KEY_STREAM} has events (${events}); nothing was changed. Save them with \`./geolookup backup\`, then discard them with ` +
        "`./geolookup keys log --new --force`",
    );
  if (info) await jetStream.deleteStream(KEY_STREAM);
  await jetStream.declareStream(newKeyStreamSettings(NATS_REPLICAS));
  return events;
}
