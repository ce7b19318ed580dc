import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { KEY_MARKS_STREAM } from "@geolookup/shared/logs/set-up-streams.ts";
import type { NatsConnection, NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import { isPermissionDenied } from "@geolookup/shared/runtime/nats/problems.ts";
import { apiErrorOf } from "@geolookup/shared/runtime/nats/stream.ts";
import { markSchema, type StoredMark } from "./mark-file.ts";

/** Auth nodes share their mark here, for nodes that have none of their own. */
const MARKS_SUBJECT = "key-marks.log";
/** Auth nodes respond with how far they have read the key log. */
const POSITION_SUBJECT = "auth.position";
const TIMEOUT_MS = 1_000;

/** @returns undefined if there is none yet. @throws Error if NATS doesn't respond. */
export async function readSharedMark(connection: NatsConnection): Promise<StoredMark | undefined> {
  const jetStream = await connection.jetStream(TIMEOUT_MS);
  try {
    const message = await jetStream.findMessage(KEY_MARKS_STREAM, { last_by_subj: MARKS_SUBJECT });
    return message && decode(message.data);
  } catch (error) {
    // The stream doesn't exist, or the server has the permissions of an earlier version.
    if (apiErrorOf(error)?.code === 404 || isPermissionDenied(error)) return undefined;
    throw error;
  }
}

/** @returns publishes a mark. @throws Error if that fails. */
export function shareMark(nats: NatsLink): (mark: StoredMark) => Promise<void> {
  return async (mark) => {
    if (!nats.isUp()) throw new Error("NATS is unreachable");
    const jetStream = await (await nats.connected()).jetStream(TIMEOUT_MS);
    await jetStream.publish(MARKS_SUBJECT, JSON.stringify(mark));
  };
}

/** Asks the auth nodes that run how far they have read the key log. @returns undefined if none responds. */
export async function askOtherNodes({ raw }: NatsConnection): Promise<KeyLogMark | undefined> {
  try {
    return decode((await raw.request(POSITION_SUBJECT, "", { timeout: TIMEOUT_MS })).data);
  } catch {
    // Nothing follows from that.
    return undefined;
  }
}

/** Responds to other auth nodes, over all connections of a link, until it is disposed of. */
export function respondToOtherNodes(nats: NatsLink, current: () => StoredMark): Disposable {
  const subscribe = async () => {
    const { raw } = await nats.connected();
    raw.subscribe(POSITION_SUBJECT, {
      callback: (error, message) => {
        if (!error) message.respond(JSON.stringify(current()));
      },
    });
  };
  const subscribeOrWait = () => void subscribe().catch(() => undefined);
  if (nats.isUp()) subscribeOrWait();
  return nats.onStatus((isUp) => isUp && subscribeOrWait());
}

function decode(data: Uint8Array): StoredMark | undefined {
  const parsed = markSchema.safeParse(parseJson(data));
  return parsed.success ? parsed.data : undefined;
}
