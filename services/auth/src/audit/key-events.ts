import { type KeyEvent, type KeyLogFollower, PLANS_ID } from "@geolookup/shared/domain/key-event.ts";
import { decodeKeyMessage, expectFinished, KEY_STREAM } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import type { JetStream, StoredMessage } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import { keepFollowing } from "@geolookup/shared/runtime/nats/keep-following.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { LoggedEvent, Projection } from "./projection.ts";

const REQUEST_TIMEOUT_MS = 2_000;
const MAX_BATCH = 100;
/** How long to wait for the next event before the stream is checked. */
const WAIT_MS = 5_000;
const READER_INACTIVE_MS = 30_000;

/** Projects the stream KEYS, from where the audit trail is. A reader of its own keeps no more than a batch in memory. */
export function projectKeyStream(nats: NatsLink, projection: Projection, log: Logger): AsyncDisposable {
  return keepFollowing({
    ...{ nats, log, stream: KEY_STREAM },
    interrupted: () => undefined,
    session: async (connection, over, live) => {
      const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
      const { created, state } = expectFinished(await jetStream.streamInfo(KEY_STREAM));
      const eventIdAt = async (sequence: number) => (await eventAt(jetStream, sequence))?.id;
      const end = { sequence: state.last_seq, eventId: (await eventIdAt(state.last_seq)) ?? "" };
      const after = await projection.begin({ name: "keys", end, eventIdAt });
      const reader = await jetStream.openReader(KEY_STREAM, {
        startSequence: after + 1,
        inactiveMs: READER_INACTIVE_MS,
      });
      live();
      let { pending } = reader;
      while (!over.aborted) {
        const events: LoggedEvent[] = [];
        // Of a single message, the batch ends as soon as it is there.
        const maxMessages = Math.max(1, Math.min(pending, MAX_BATCH));
        for await (const message of reader.batch({ maxMessages, expiresMs: WAIT_MS, signal: over })) {
          pending = message.info.pending;
          const event = decode(message);
          if (event) events.push({ event, sequence: message.seq });
        }
        if (events.length > 0) await projection.write("keys", events);
        else if (!over.aborted) {
          const info = expectFinished(await jetStream.streamInfo(KEY_STREAM));
          if (info.created !== created) throw new Error("the stream was replaced");
          pending = await reader.countPending();
        }
      }
      void reader.delete().catch(() => undefined);
    },
  });
}

async function eventAt(jetStream: JetStream, sequence: number): Promise<KeyEvent | undefined> {
  if (sequence < 1) return undefined;
  const message = await jetStream.findMessage(KEY_STREAM, { seq: sequence });
  return message && decode(message);
}

/** Undefined for a message that can't be read: the key log's followers count and log it. */
function decode(message: Pick<StoredMessage, "subject" | "data">): KeyEvent | undefined {
  try {
    return decodeKeyMessage(message);
  } catch {
    return undefined;
  }
}

/** The events of key log files that aren't projected yet. Of files, the events that a crash left are read with all others. */
export interface KeyFileEvents {
  /** Collects the events that a follower gets. */
  followedBy(follower: KeyLogFollower): KeyLogFollower;
  /** Projects what was collected. */
  project(projection: Projection): Promise<void>;
}

/** Longer than what a crash can leave. */
const MAX_COLLECTED = 10_001;

export function collectKeyFileEvents(projected: (name: "keys" | "plans") => number): KeyFileEvents {
  const collected = { keys: [] as LoggedEvent[], plans: [] as LoggedEvent[] };
  const ends = { keys: { sequence: 0, eventId: "" }, plans: { sequence: 0, eventId: "" } };
  const ids = { keys: new Map<number, string>(), plans: new Map<number, string>() };
  let isBegun = false;
  return {
    followedBy: (follower) => ({
      ...follower,
      apply: (event, sequence) => {
        const name = event.keyId === PLANS_ID ? "plans" : "keys";
        // Plan changes are in a file of their own, and have no sequence here.
        const place = name === "plans" ? event.version : sequence;
        ends[name] = { sequence: place, eventId: event.id };
        if (!isBegun && place === projected(name)) ids[name].set(place, event.id);
        const isDue = place > projected(name) && (projected(name) > 0 || collected[name].length < MAX_COLLECTED);
        if (isBegun || isDue) collected[name].push({ event, sequence: place });
        return follower.apply(event, sequence);
      },
    }),
    project: async (projection) => {
      for (const name of ["keys", "plans"] as const) {
        if (!isBegun) {
          const after = await projection.begin({
            name,
            end: ends[name],
            eventIdAt: (sequence) => ids[name].get(sequence),
          });
          collected[name] = collected[name].filter(({ sequence }) => sequence > after);
        }
        const events = collected[name].slice(0, MAX_BATCH);
        if (events.length > 0 && (await projection.write(name, events))) collected[name].splice(0, events.length);
      }
      isBegun = true;
    },
  };
}
