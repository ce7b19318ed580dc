import { setTimeout as delay } from "node:timers/promises";
import { elapsedClock } from "../../domain/clock.ts";
import { VersionConflict } from "../../domain/key-event.ts";
import { parseJson } from "../../domain/parse-json.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { NatsConnection, NatsLink } from "../../runtime/nats/connection.ts";
import type { JetStream, StoredMessage } from "../../runtime/nats/jet-stream.ts";
import { type Following, keepFollowing } from "../../runtime/nats/keep-following.ts";
import {
  isWrongLastSequence,
  type StreamInfo,
  type StreamSettings,
  streamSettings,
  UNDELETABLE,
} from "../../runtime/nats/stream.ts";
import type { Logger } from "../../runtime/observability/log.ts";
import { deliverMessages } from "../keys/jetstream/session.ts";
import { type OperatorEvent, type OperatorLog, type OperatorLogFollower, parseOperatorEvent } from "./operator-log.ts";

/** The JetStream stream of operators: one message per event, on the subject of its operator. */
export const OPERATOR_STREAM = "OPERATORS";

const REQUEST_TIMEOUT_MS = 1_000;
/** How long to wait until the follower has read what is in the stream. */
const READ_TIMEOUT_MS = 2_000;

/** The stream's settings. Messages never expire and can't be deleted. */
export function operatorStreamSettings(replicas: number): StreamSettings {
  return streamSettings(replicas, {
    name: OPERATOR_STREAM,
    subjects: ["operators.*"],
    max_msg_size: 4_096,
    ...UNDELETABLE,
  });
}

/** Names of operators have no `=`. A dot would start another token of the subject. */
export const operatorSubject = (name: string) => `operators.${name.replaceAll(".", "=")}`;

interface Read {
  /** When the stream was created. */
  epoch: string;
  sequence: number;
  /** The last message. */
  data: Uint8Array;
  /** Each operator's last event. */
  last: Map<string, { sequence: number; version: number }>;
  events: OperatorEvent[];
}

/**
 * Opens the log of operators on the stream OPERATORS, which `setUpStreams` creates. Each session reads it from its start: it is short.
 * A stream that lost messages isn't followed, because a removed operator could be back. Only a new one replaces it.
 */
export function openJetStreamOperatorLog(options: { nats: NatsLink; replicas: number; log: Logger }): OperatorLog {
  const { nats, log } = options;
  let following: Following | undefined;
  let read: Read | undefined;
  let completeAtMs = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  const follow = (follower: OperatorLogFollower) => {
    following = keepFollowing({
      ...{ nats, log, stream: OPERATOR_STREAM },
      interrupted: () => undefined,
      session: async (connection, over, live) => {
        const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
        const askedAtMs = elapsedClock();
        const info = await jetStream.verifyStream(operatorStreamSettings(options.replicas));
        if (read) await expectMessages(jetStream, info, read);
        const next: Read = { epoch: info.created, sequence: 0, data: new Uint8Array(), last: new Map(), events: [] };
        let isLive = false;
        await deliverMessages({
          ...{ jetStream, stream: OPERATOR_STREAM, over, askedAtMs, lastSequence: info.state.last_seq },
          epochOf: ({ created }) => created,
          cursor: { epoch: info.created, sequence: 0, last: undefined },
          onMessage: (message, sequence) => {
            [next.sequence, next.data] = [sequence, message.data];
            const event = decodeOperatorMessage(message);
            if (!event) return log.error({ stream: OPERATOR_STREAM, sequence }, "invalid message skipped");
            next.last.set(event.operator, { sequence, version: event.version });
            next.events.push(event);
            if (isLive) follower.apply(event);
            for (const check of waiting) check();
          },
          onCaughtUp: () => {
            isLive = true;
            read = next;
            follower.reset(next.events);
            live();
          },
          onHole: (first, last) => {
            throw new Error(`its messages ${first} to ${last} are missing`);
          },
          onLag: () => undefined,
          onComplete: (_sequence, atMs) => {
            completeAtMs = atMs;
            for (const check of waiting) check();
          },
        });
      },
    });
  };

  const until = async (sequence: number) => {
    const hasRead = () => read !== undefined && read.sequence >= sequence;
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => hasRead() && resolve();
    waiting.add(check);
    check();
    await Promise.race([promise, delay(READ_TIMEOUT_MS, undefined, { ref: false })]);
    waiting.delete(check);
    if (!hasRead()) throw unavailable("this auth node is behind it");
  };

  const find = async () => {
    try {
      const connection = await connected(nats);
      const { state } = await (await connection.jetStream(REQUEST_TIMEOUT_MS)).streamInfo(OPERATOR_STREAM);
      return state.last_seq;
    } catch (error) {
      throw error instanceof ServiceError ? error : unavailable("NATS is not responding", error);
    }
  };
  /** One request after another, each for all who wait when it begins. */
  let asking: Promise<number> | undefined;
  let next: Promise<number> | undefined;
  const lastSequence = (): Promise<number> => {
    if (!asking) {
      asking = find().finally(() => {
        asking = undefined;
      });
      return asking;
    }
    next ??= asking
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return lastSequence();
      });
    return next;
  };

  return {
    follow,
    append: async (event) => {
      const connection = await connected(nats);
      if (!read) throw unavailable("it wasn't read yet");
      const subject = operatorSubject(event.operator);
      const before = read.last.get(event.operator) ?? { sequence: 0, version: 0 };
      if (event.version > before.version + 1)
        throw new VersionConflict(`operator ${event.operator} has version ${before.version}`);
      const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
      let sequence: number;
      try {
        // Of an earlier version, only an event that is already stored succeeds.
        const lastSubjectSequence = event.version === before.version + 1 ? before.sequence : 0;
        sequence = await jetStream.publish(subject, JSON.stringify(event), { lastSubjectSequence });
      } catch (error) {
        const last = await jetStream.findMessage(OPERATOR_STREAM, { last_by_subj: subject }).catch(() => undefined);
        // An earlier append stored it, and its response was lost.
        const isStored = last && decodeOperatorMessage(last)?.id === event.id;
        if (!isStored && isWrongLastSequence(error))
          throw new VersionConflict(`operator ${event.operator} was changed concurrently`);
        if (!isStored) throw unavailable("NATS did not store the change in time; check whether it was made", error);
        sequence = last.seq;
      }
      await until(sequence);
    },
    events: () => read?.events ?? [],
    refresh: async () => until(await lastSequence()),
    ageMs: () => elapsedClock() - completeAtMs,
    [Symbol.asyncDispose]: async () => following?.[Symbol.asyncDispose](),
  };
}

/** @throws Error if the stream lacks messages that were read. A stream that was created since then may: a person did that. */
async function expectMessages(jetStream: JetStream, { created, state }: StreamInfo, read: Read): Promise<void> {
  if (created !== read.epoch || read.sequence === 0) return;
  const isLonger = state.last_seq >= read.sequence;
  const last = isLonger && (await jetStream.findMessage(OPERATOR_STREAM, { seq: read.sequence }));
  if (!last || Buffer.compare(last.data, read.data) !== 0)
    throw new Error(
      `it lost messages that were read (up to ${read.sequence}), so operators' tokens are refused. If it doesn't have them again ` +
        "soon, restore a backup, or delete the stream, run `./geolookup nats-setup`, and add the operators again",
    );
}

async function connected(nats: NatsLink): Promise<NatsConnection> {
  if (!nats.isUp()) throw unavailable("NATS is unreachable");
  return nats.connected();
}

function unavailable(text: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `the log of operators is unavailable: ${text}; try again`, { cause });
}

/** Reads a message of the stream; undefined if it isn't a valid event of its subject. */
export function decodeOperatorMessage({ subject, data }: Pick<StoredMessage, "subject" | "data">) {
  try {
    const event = parseOperatorEvent(parseJson(data));
    return operatorSubject(event.operator) === subject ? event : undefined;
  } catch {
    return undefined;
  }
}
