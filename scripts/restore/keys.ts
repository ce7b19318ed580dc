import { findMessage, KEY_STREAM, keyStreamSettings, managerOf } from "@geolookup/shared/runtime/logs/key-stream.ts";
import { declareStream, findStream } from "@geolookup/shared/runtime/nats-stream.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import type { JetStreamManager, NatsConnection } from "nats";
import type { Content } from "../backup/archive.ts";
import { describeKeys, hashOf } from "../backup/backup.ts";
import { restoreKeySnapshot } from "../backup/key-snapshot.ts";

const REQUEST_TIMEOUT_MS = 5_000;
/** An auth process that starts meanwhile makes an empty stream. */
const ATTEMPTS = 5;

/** How the stream KEYS of a cluster stands to that of a backup. */
export type KeysStanding =
  /** There is none, or an empty one. */
  | { kind: "free" }
  /** It has every event of the backup, and perhaps more after them. */
  | { kind: "holds_backup" }
  /** It has others, or fewer. */
  | { kind: "other"; events: number };

/** Looks at the stream KEYS. */
export async function standingOfKeys(connection: NatsConnection, backup: Content["keys"]): Promise<KeysStanding> {
  const manager = await managerOf(connection, REQUEST_TIMEOUT_MS);
  const info = await findStream(manager, KEY_STREAM);
  if (!info || info.state.messages === 0) return { kind: "free" };
  const { lastSequence, lastMessageSha256 } = backup;
  const same = lastSequence === 0 ? undefined : await findMessage(manager, { seq: lastSequence });
  // Each event has an id of its own, and events are only ever appended: those before it are the same, too.
  const holds = lastSequence === 0 || (same !== undefined && hashOf(same) === lastMessageSha256);
  return holds ? { kind: "holds_backup" } : { kind: "other", events: info.state.messages };
}

/**
 * Puts the events of a backup in the place of the stream KEYS, under a new epoch: auth and the gateways see by it that
 * they have to read it anew. The stream forbids to delete from it, so it is replaced as a whole.
 * @param replaces the number of events that may be thrown away; with more, nothing is changed.
 * @throws StartError
 */
export async function restoreKeys(options: {
  connection: NatsConnection;
  path: string;
  backup: Content["keys"];
  replicas: number;
  replaces: number;
}): Promise<void> {
  const { connection, path, backup, replaces } = options;
  const manager = await managerOf(connection, REQUEST_TIMEOUT_MS);
  const settings = keyStreamSettings(options.replicas);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await removeKeys(manager, replaces);
    if (!(await restoreKeySnapshot(connection, path, settings))) continue;
    await declareStream(manager, settings);
    const { lastSequence, events } = await describeKeys(manager);
    // The snapshot may hold what was appended while it was made; never less than was there before.
    if (lastSequence < backup.lastSequence || events < backup.events)
      throw new StartError(`the stream ${KEY_STREAM} has ${events} events now, and the backup has ${backup.events}`);
    return;
  }
  throw new StartError(`the stream ${KEY_STREAM} is being made again and again by others; stop auth and try again`);
}

async function removeKeys(manager: JetStreamManager, replaces: number): Promise<void> {
  const info = await findStream(manager, KEY_STREAM);
  if (!info) return;
  if (info.state.messages > replaces)
    throw new StartError(
      `the stream ${KEY_STREAM} has got ${info.state.messages} events meanwhile; nothing was changed, try again`,
    );
  await manager.streams.delete(KEY_STREAM);
}
