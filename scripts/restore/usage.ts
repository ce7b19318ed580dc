import { decodeUsageMessage } from "@geolookup/shared/logs/usage/jetstream/message.ts";
import {
  linkUsageStream,
  type USAGE_MONTHS_STREAM,
  USAGE_STREAM,
  usageMonthsStreamSettings,
  usageStreamSettings,
} from "@geolookup/shared/logs/usage/jetstream/stream.ts";
import { JetStreamUsageWriter } from "@geolookup/shared/logs/usage/jetstream/writer.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import { isWrongLastSequence } from "@geolookup/shared/runtime/nats/stream.ts";
import type { SavedMessage } from "../backup/stream-messages.ts";

const REQUEST_TIMEOUT_MS = 5_000;
/** Concurrent publishes. */
const MAX_IN_FLIGHT = 64;

/**
 * Restores the saved messages of a stream of counts, and creates the stream if it doesn't exist. Counts never decrease: if a
 * subject already has a message, it gets the greater of both counts, key by key. So gateways may continue to
 * count meanwhile, and restoring twice changes nothing.
 * @param messages checked before.
 * @returns how many messages were restored as they were, and how many were merged with an existing one.
 * @throws ServiceError, Error or StartError if the stream can't be written; run again, it continues.
 */
export async function restoreCounts(
  nats: NatsLink,
  stream: typeof USAGE_STREAM | typeof USAGE_MONTHS_STREAM,
  messages: AsyncIterable<SavedMessage>,
  replicas: number,
): Promise<{ restored: number; merged: number }> {
  const settings = stream === USAGE_STREAM ? usageStreamSettings(replicas) : usageMonthsStreamSettings(replicas);
  await (await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS)).declareStream(settings);
  const link = linkUsageStream(nats, settings);
  const writer = new JetStreamUsageWriter(link);
  const refusalWriter = new JetStreamUsageWriter(link, "refusals");
  const done = { restored: 0, merged: 0 };
  const restore = async ({ subject, data }: SavedMessage) => {
    const { jetStream } = await link.connect();
    try {
      await jetStream.publish(subject, data, { lastSubjectSequence: 0, streamName: stream });
      done.restored += 1;
    } catch (error) {
      if (!isWrongLastSequence(error)) throw error;
      const message = decodeUsageMessage(data);
      if ("counts" in message) {
        await writer.publish(subject, message.counts);
        await refusalWriter.publish(subject, message.refusals);
      }
      done.merged += 1;
    }
  };
  await link.connect();
  await forEachMessage(messages, restore);
  return done;
}

/** Calls `work` with each message, 64 at a time. */
export async function forEachMessage(
  messages: AsyncIterable<SavedMessage>,
  work: (message: SavedMessage) => Promise<void>,
): Promise<void> {
  const each = messages[Symbol.asyncIterator]();
  const worker = async () => {
    for (let next = await each.next(); !next.done; next = await each.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, worker));
}
