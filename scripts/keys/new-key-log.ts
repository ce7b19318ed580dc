import { startNewKeyLog } from "@geolookup/auth/keys/mark/mark-file.ts";
import { KEY_STREAM, newKeyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import type { Printed } from "../command-line.ts";
import { connectToNats } from "../nats-connection.ts";
import { exportAdvice, findClusterIn } from "../running-services.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Starts a new key log in NATS if NATS_URL is set, otherwise in DATA_DIR.
 * @param force discards the events of a log in NATS, if it has any.
 * @throws StartError
 */
export async function startNewLog(environment: NodeJS.ProcessEnv, force: boolean): Promise<Printed> {
  if (environment.NATS_URL) {
    const discarded = await startNewKeyStream(environment, force);
    return { json: { discarded }, text: "The cluster has a new, empty key log. All keys issued before are invalid\n" };
  }
  const { DATA_DIR: dataDir } = readEnvironment(z.object({ DATA_DIR: z.string().default("data") }), environment);
  const cluster = findClusterIn(dataDir, environment);
  if (cluster) throw new StartError(exportAdvice(cluster));
  const saved = await startNewKeyLog(dataDir);
  const previous = saved === null ? "" : `The previous key log is in ${saved}. `;
  return {
    json: { dataDir, saved },
    text: `${previous}${dataDir} has a new, empty key log from the next start on. All keys issued before are invalid\n`,
  };
}

/** Replaces the stream KEYS with an empty one. @returns the number of its events. */
async function startNewKeyStream(environment: NodeJS.ProcessEnv, force: boolean): Promise<number> {
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
