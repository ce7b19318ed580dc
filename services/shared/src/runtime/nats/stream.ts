import { setTimeout as delay } from "node:timers/promises";
import type { ApiError, JetStreamManager, StreamConfig, StreamInfo } from "nats";
import { StartError } from "../lifecycle/start-error.ts";

/** JetStream's error codes, from its `errors.json`. */
const STREAM_NOT_FOUND = 10_059;
/** The stream's name is in use; its subjects overlap with those of a stream. */
const TAKEN: ReadonlySet<number> = new Set([10_058, 10_065]);
/** The stream cannot be made for a reason of the server's own, such as that the files of a deleted one of its name are still there. */
const CREATE_FAILED = 10_049;
const MESSAGE_NOT_FOUND = 10_037;
const WRONG_LAST_SEQUENCE = 10_071;
/** The status of refusals that pass: no leader yet, JetStream still starting, no room at the moment. */
const UNAVAILABLE = 503;

/** How often, and how long apart, a stream is looked for that another service is making. */
const LOOKS = 10;
const LOOK_INTERVAL_MS = 50;

/** A stream's settings as far as they matter to us. What the server does not know it would silently leave out. */
export type StreamSettings = Partial<StreamConfig> & { name: string };

/**
 * Makes a stream unless it is there, and checks the settings that the server echoes. A description
 * is set at the making only.
 * @throws StartError naming every setting that differs, or the server's reason when it refuses for
 * good; Error when the server cannot do it now.
 */
export async function declareStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  const info = (await findStream(manager, settings.name)) ?? (await makeStream(manager, settings));
  const { description: _, ...checked } = settings;
  const found = info.config as unknown as Record<string, unknown>;
  const differences = Object.entries(checked).flatMap(([name, wanted]) =>
    JSON.stringify(found[name] ?? false) === JSON.stringify(wanted)
      ? []
      : [`${name} is ${JSON.stringify(found[name] ?? null)} where ${JSON.stringify(wanted)} is needed`],
  );
  if (differences.length > 0)
    throw new StartError(
      `the NATS stream ${settings.name} has other settings than it must have: ${differences.join("; ")}. ` +
        "Change them with `nats stream edit` (or, for num_replicas, set NATS_REPLICAS to what the stream has)",
    );
  return info;
}

/** @returns undefined when there is no such stream. */
export async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (apiErrorOf(error)?.err_code === STREAM_NOT_FOUND) return undefined;
    throw error;
  }
}

async function makeStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  try {
    // A copy: the client fills in what is left out.
    return await manager.streams.add({ ...settings });
  } catch (error) {
    const refusal = apiErrorOf(error);
    // Another service made it first, or is making it: its subjects are taken before it can be found.
    if (refusal?.err_code !== undefined && TAKEN.has(refusal.err_code)) {
      for (let look = 0; look < LOOKS; look++) {
        const made = await findStream(manager, settings.name);
        if (made) return made;
        await delay(LOOK_INTERVAL_MS);
      }
    }
    if (refusal && refusal.code !== UNAVAILABLE && refusal.err_code !== CREATE_FAILED)
      throw new StartError(`the NATS server refuses to make the stream ${settings.name}: ${refusal.description}`);
    throw error;
  }
}

/** Whether a message that was asked for is not in the stream. */
export function isMessageNotFound(error: unknown): boolean {
  return apiErrorOf(error)?.err_code === MESSAGE_NOT_FOUND;
}

/** Whether a publish was refused because its subject's last message is another one than expected. */
export function isWrongLastSequence(error: unknown): boolean {
  return apiErrorOf(error)?.err_code === WRONG_LAST_SEQUENCE;
}

/** JetStream's refusal, if that is what an error is: something was answered, and the answer is no. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  return (error as { api_error?: ApiError }).api_error;
}
