import type { KeyCounts } from "../../../domain/usage.ts";
import type { NatsConnection } from "../../../runtime/nats/connection.ts";
import { isWrongLastSequence } from "../../../runtime/nats/stream.ts";
import { type CountsProperty, decodeUsageMessage, encodeUsageMessage, nextPart, wholeSubject } from "./message.ts";
import type { UsageStream, UsageStreamLink } from "./stream.ts";

/** How often a publish is retried immediately after losing a race to another writer. */
const MAX_ATTEMPTS = 10;

/** An instance writes to the subjects of today, and around midnight to those of two days. */
const MAX_REMEMBERED_SUBJECTS = 256;

/** NATS accepts messages of up to 1 MB (max_payload in infra/nats). */
const MAX_MESSAGE_BYTES = 1_000_000;
/** Of an account beside its name: quotes, a colon, a comma, and the longest count. */
const COUNT_BYTES = 20;

/** The last message of a subject, as far as this process knows. */
interface Remembered {
  counts: Map<string, number>;
  /** Its sequence; 0 if there is none; null if the outcome of a publish is unknown. */
  sequence: number | null;
  /** The connection it was observed on: another server, or the same one after a crash, may not have it. */
  connection: NatsConnection;
}

/**
 * Publishes counts so that those of a subject never decrease, even with concurrent writers and lost responses. A message has all
 * counts of its subject, since only the last one is kept, and names the sequence that it replaces. After a refusal, or without a
 * response, the writer reads the stored message and publishes the larger count of each key. Counts that don't fit into a message go into
 * that of the subject's next part.
 */
export class JetStreamUsageWriter {
  private readonly link: UsageStreamLink;
  private readonly property: CountsProperty;
  private readonly remembered = new Map<string, Remembered>();
  private readonly lastOf = new Map<string, Promise<unknown>>();

  constructor(link: UsageStreamLink, property: CountsProperty = "counts") {
    this.link = link;
    this.property = property;
  }

  /**
   * One publish per subject at a time; the others wait.
   * @param subject the NATS subject, or that of one of its parts.
   * @returns the sequence of the last message that has these counts or larger ones.
   */
  publish(subject: string, counts: KeyCounts): Promise<number> {
    const name = wholeSubject(subject);
    const previous = this.lastOf.get(name) ?? Promise.resolve();
    const publishing = previous
      .then(() => this.publishNow(name, counts))
      .catch((error: unknown) => {
        this.link.distrust();
        throw error;
      });
    const settled = publishing.catch(() => undefined);
    this.lastOf.set(name, settled);
    void settled.then(() => {
      if (this.lastOf.get(name) === settled) this.lastOf.delete(name);
    });
    return publishing;
  }

  /** Resolves when nothing is being published. */
  async settled(): Promise<void> {
    await Promise.all(this.lastOf.values());
  }

  private async publishNow(name: string, counts: KeyCounts): Promise<number> {
    const stream = await this.link.connect();
    const remembered = this.recall(name, stream.connection);
    let given = counts;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (remembered.sequence === null) {
        const stored = await readStored(stream, name, this.property);
        given = larger(given, remembered.counts);
        remembered.counts = stored.counts;
        remembered.sequence = stored.sequence;
      }
      const { isRaised, left } = raise(remembered.counts, given);
      let sequence = remembered.sequence;
      if (isRaised) {
        // The outcome is unknown until there is a response.
        remembered.sequence = null;
        const message = encodeUsageMessage(remembered.counts, this.property);
        try {
          sequence = await stream.jetStream.publish(name, message, { lastSubjectSequence: sequence });
        } catch (error) {
          if (isWrongLastSequence(error)) continue;
          throw error;
        }
        remembered.sequence = sequence;
      }
      return left.size === 0 ? sequence : Math.max(sequence, await this.publishNow(nextPart(name), left));
    }
    throw new Error(`could not publish usage: other writers won ${MAX_ATTEMPTS} times in a row`);
  }

  private recall(name: string, connection: NatsConnection): Remembered {
    const known = this.remembered.get(name);
    const remembered = known ?? { counts: new Map(), sequence: null, connection };
    if (remembered.connection !== connection) remembered.sequence = null;
    remembered.connection = connection;
    this.remembered.delete(name);
    this.remembered.set(name, remembered);
    for (const oldest of this.remembered.keys()) {
      if (this.remembered.size <= MAX_REMEMBERED_SUBJECTS) break;
      this.remembered.delete(oldest);
    }
    return remembered;
  }
}

/** The larger count of each account. */
function larger(counts: KeyCounts, others: KeyCounts): KeyCounts {
  const all = new Map(counts);
  for (const [account, count] of others) all.set(account, Math.max(count, all.get(account) ?? 0));
  return all;
}

/**
 * Raises a message's counts to the given ones; lower ones are ignored.
 * @returns whether any was raised, and those that don't fit into the message. A later part may have these.
 */
function raise(counts: Map<string, number>, given: KeyCounts): { isRaised: boolean; left: KeyCounts } {
  let room = MAX_MESSAGE_BYTES;
  for (const account of counts.keys()) room -= account.length + COUNT_BYTES;
  let isRaised = false;
  const left = new Map<string, number>();
  for (const [account, count] of given) {
    const known = counts.get(account);
    if (known !== undefined && count <= known) continue;
    const bytes = known === undefined ? account.length + COUNT_BYTES : 0;
    if (bytes > room) {
      left.set(account, count);
      continue;
    }
    room -= bytes;
    counts.set(account, count);
    isRaised = true;
  }
  return { isRaised, left };
}

/** The last message of a subject: sequence 0 and no counts if there is none. */
async function readStored({ jetStream, name: stream }: UsageStream, name: string, property: CountsProperty) {
  const message = await jetStream.findMessage(stream, { last_by_subj: name });
  if (message === undefined) return { counts: new Map<string, number>(), sequence: 0 };
  const stored = decodeUsageMessage(message.data);
  if ("counts" in stored) return { counts: stored[property], sequence: message.seq };
  if (stored.foreign)
    throw new Error(
      `message ${message.seq} is from another version of geolookup and was not overwritten: ${stored.problem}`,
    );
  return { counts: new Map<string, number>(), sequence: message.seq };
}
