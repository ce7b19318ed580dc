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

/** Messages on their way at once. */
const IN_FLIGHT = 64;

/**
 * Puts the saved messages of a stream of counts back, making the stream if it is not there. Counts never fall: where a
 * subject has a message, the greater of both counts, key by key, is what it has then. So gateways may go on
 * counting meanwhile, and doing it again changes nothing.
 * @param messages checked before.
 * @returns how many messages were put back as they were, and how many met one that was there.
 * @throws ServiceError, Error or StartError when the stream cannot be written; done again, it goes on.
 */
export async function restoreCounts(
  nats: NatsLink,
  stream: typeof USAGE_STREAM | typeof USAGE_MONTHS_STREAM,
  messages: AsyncIterable<SavedMessage>,
  replicas: number,
): Promise<{ restored: number; met: number }> {
  const settings = stream === USAGE_STREAM ? usageStreamSettings(replicas) : usageMonthsStreamSettings(replicas);
  const link = linkUsageStream(nats, settings);
  const writer = new JetStreamUsageWriter(link);
  const done = { restored: 0, met: 0 };
  const putBack = async ({ subject, data }: SavedMessage) => {
    const { client } = await link.connect();
    try {
      await client.publish(subject, data, { expect: { lastSubjectSequence: 0, streamName: stream } });
      done.restored += 1;
    } catch (error) {
      if (!isWrongLastSequence(error)) throw error;
      const message = decodeUsageMessage(data);
      if ("counts" in message) await writer.publish(subject, message.counts);
      done.met += 1;
    }
  };
  const each = messages[Symbol.asyncIterator]();
  const work = async () => {
    for (let next = await each.next(); !next.done; next = await each.next()) await putBack(next.value);
  };
  await link.connect();
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return done;
}
