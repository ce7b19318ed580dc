import { setTimeout as delay } from "node:timers/promises";
import {
  type ApiError,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamConfig,
} from "@nats-io/jetstream";
import { StartError } from "../lifecycle/start-error.ts";

/** JetStream's error codes, from its `errors.json`. */
/** The stream's name is in use; its subjects overlap with those of another stream. */
const TAKEN: ReadonlySet<number> = new Set([10_058, 10_065]);
/** The server couldn't create the stream, for example because files of a deleted stream with the same name are left. */
const CREATE_FAILED = 10_049;
/** The status of temporary refusals: no leader yet, JetStream still starting, out of resources. */
const UNAVAILABLE = 503;

/** While another service creates the stream. */
const MAX_LOOKUPS = 10;
const LOOKUP_INTERVAL_MS = 50;

/**
 * The settings of a stream that matter here, named as JetStream's API names them; durations are in nanoseconds. The
 * server silently drops settings that it doesn't know.
 */
export interface StreamSettings {
  name: string;
  description?: string;
  subjects: string[];
  retention: "limits";
  storage: "file" | "memory";
  discard: "old";
  num_replicas: number;
  max_msgs?: number;
  max_bytes?: number;
  max_age?: number;
  max_msgs_per_subject?: number;
  max_msg_size?: number;
  deny_delete?: boolean;
  deny_purge?: boolean;
  allow_rollup_hdrs?: boolean;
}

/** Settings of a stream in files, without limits besides those given. */
export function streamSettings(
  replicas: number,
  own: Pick<StreamSettings, "name" | "subjects"> & Partial<StreamSettings>,
): StreamSettings {
  return {
    ...{ retention: "limits", storage: "file", discard: "old", num_replicas: replicas },
    ...{ max_msgs: -1, max_bytes: -1, max_age: 0, max_msgs_per_subject: -1, max_msg_size: -1 },
    ...own,
  };
}

/** Of streams whose messages can't be deleted. */
export const UNDELETABLE = { deny_delete: true, deny_purge: true, allow_rollup_hdrs: false } as const;

/** A stream as the server describes it. */
export interface StreamInfo {
  config: { name: string; description?: string; num_replicas: number };
  /** When the stream was created. It distinguishes streams with the same name. */
  created: string;
  state: { messages: number; first_seq: number; last_seq: number };
  /** The other replicas, as the leader sees them; undefined on a single server. `active`: nanoseconds since its last message. */
  cluster?: { replicas?: { offline?: boolean; active: number }[] };
}

/** A leader hears of its replicas every second. It steps down without a majority of them, but only after more than 10 s. */
const MAX_REPLICA_SILENCE_NANOS = 4e9;

/** The leader of a stream is cut off from the other replicas: it can't write, and they may have elected another. */
export class NoQuorum extends Error {
  override readonly name = "NoQuorum";
}

/** @throws NoQuorum if the server that describes the stream doesn't hear of a majority of its replicas. */
export function withQuorum<Info extends StreamInfo>(info: Info): Info {
  const replicas = info.cluster?.replicas ?? [];
  const inTouch = replicas.filter(({ offline = false, active }) => !offline && active < MAX_REPLICA_SILENCE_NANOS);
  if (2 * (inTouch.length + 1) > replicas.length + 1) return info;
  throw new NoQuorum("the NATS server is cut off from the stream's other replicas");
}

/** Settings that may have any value: none of them lets a message in, takes one away, or changes one. */
const FREE_SETTINGS: ReadonlySet<string> = new Set([
  ...["description", "metadata", "placement", "compression", "duplicate_window", "consumer_limits"],
  ...["allow_direct", "mirror_direct", "deny_delete", "deny_purge", "persist_mode"],
]);

/**
 * Creates a stream unless it exists, and checks its settings: see `verifyStream`. Only for the setup step and the operator's
 * commands: no service creates a stream. The description is only set on creation.
 * @throws StartError, also with the server's reason for a permanent refusal; Error for a temporary failure.
 */
export async function declareStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  const info = (await findStream(manager, settings.name)) ?? (await createStream(manager, settings));
  expectSettings(info, settings);
  return info;
}

/**
 * Checks that a stream has exactly these settings, and nothing that lets other messages in, such as sources or other subjects, or
 * that sends its messages elsewhere, such as republish.
 * @throws StartError naming every setting that differs; Error if the stream doesn't exist, or for a temporary failure.
 */
export async function verifyStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  const info = await findStream(manager, settings.name);
  if (!info)
    throw new Error(
      `the NATS stream ${settings.name} doesn't exist; create it with \`./geolookup nats-setup\`, or restore a backup`,
    );
  expectSettings(info, settings);
  return info;
}

function expectSettings(info: StreamInfo, { description: _, ...wanted }: StreamSettings): void {
  const found = info.config as unknown as Record<string, unknown>;
  const differences = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].flatMap((name) => {
    const [is, should] = [found[name], (wanted as Record<string, unknown>)[name]];
    const isFine =
      should === undefined
        ? FREE_SETTINGS.has(name) || isUnset(is)
        : JSON.stringify(is ?? false) === JSON.stringify(should);
    return isFine ? [] : [`${name} is ${JSON.stringify(is ?? null)} instead of ${JSON.stringify(should ?? null)}`];
  });
  if (differences.length > 0)
    throw new StartError(
      `the NATS stream ${info.config.name} has the wrong settings: ${differences.join("; ")}. ` +
        "Change them with `nats stream edit`, or for num_replicas set NATS_REPLICAS to the stream's number",
    );
}

/** Whether a setting has its default: no limit, nothing, or off. */
function isUnset(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isUnset);
  return !value || value === -1;
}

/** @returns undefined if the stream doesn't exist. */
export async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return withQuorum(await manager.streams.info(name));
  } catch (error) {
    if (apiErrorOf(error)?.err_code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  }
}

async function createStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  try {
    // A copy: the client fills in defaults. Its enums have these strings.
    return await manager.streams.add({ ...settings } as StreamConfig);
  } catch (error) {
    const refusal = apiErrorOf(error);
    // Another service created it first, or is creating it: its subjects are in use before it can be found.
    if (refusal?.err_code !== undefined && TAKEN.has(refusal.err_code)) {
      for (let lookup = 0; lookup < MAX_LOOKUPS; lookup++) {
        const created = await findStream(manager, settings.name);
        if (created) return created;
        await delay(LOOKUP_INTERVAL_MS);
      }
    }
    if (refusal && refusal.code !== UNAVAILABLE && refusal.err_code !== CREATE_FAILED)
      throw new StartError(`the NATS server refuses to create the stream ${settings.name}: ${refusal.description}`);
    throw error;
  }
}

/** Whether a publish was refused because the subject's last message was not the expected one. */
export function isWrongLastSequence(error: unknown): boolean {
  return apiErrorOf(error)?.err_code === JetStreamApiCodes.StreamWrongLastSequence;
}

/** JetStream's refusal; undefined for other errors, such as a timeout. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  return error instanceof JetStreamApiError ? error.apiError() : undefined;
}
