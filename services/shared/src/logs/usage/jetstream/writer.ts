import type { NatsConnection } from "nats";
import type { KeyCounts } from "../../../domain/usage.ts";
import { isMessageNotFound, isWrongLastSequence } from "../../../runtime/nats/stream.ts";
import { CountsText } from "../counts-text.ts";
import { decodeUsageMessage, encodeUsageMessage } from "./message.ts";
import type { UsageStream, UsageStreamLink } from "./stream.ts";

/** How often a publish that lost a race is tried again at once. Each round another writer has won. */
const MAX_ROUNDS = 10;

/** How many subjects' last messages are remembered: a boot writes to those of today, and at midnight of two days. */
const REMEMBERED_SUBJECTS = 256;

/** The last message of a subject, as far as this process knows. */
interface Remembered {
  counts: CountsText;
  /** Its sequence; 0 when there is none; null when a publish's outcome is unknown. */
  sequence: number | null;
  /** On which connection that was so: another server, or the same after a crash, may know less. */
  connection: NatsConnection;
}

/**
 * Publishes counts so that those of a subject never fall, whoever else publishes and whatever
 * becomes of the answers. A message holds all counts of its subject, since only the last is kept.
 * Each states the sequence it replaces; one that is refused, and one whose answer never came, make
 * the stored message be read, and the greater of both, key by key, takes its place.
 */
export class JetStreamUsageWriter {
  private readonly link: UsageStreamLink;
  private readonly remembered = new Map<string, Remembered>();
  private readonly lastOf = new Map<string, Promise<unknown>>();

  constructor(link: UsageStreamLink) {
    this.link = link;
  }

  /**
   * One publish per subject at a time; others wait for their turn.
   * @param name the NATS subject.
   * @returns the sequence that has the counts, or a later one.
   */
  publish(name: string, counts: KeyCounts): Promise<number> {
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

  /** Resolves once nothing is being published. */
  async settled(): Promise<void> {
    await Promise.all(this.lastOf.values());
  }

  private async publishNow(name: string, counts: KeyCounts): Promise<number> {
    const stream = await this.link.connect();
    const { connection, client } = stream;
    const remembered = this.recall(name, connection);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let isNews = remembered.counts.raise(counts);
      if (remembered.sequence === null) {
        const stored = await readStored(stream, name);
        const merged = new CountsText();
        merged.raise(stored.counts);
        isNews = merged.raise(remembered.counts);
        remembered.counts = merged;
        remembered.sequence = stored.sequence;
      }
      if (!isNews) return remembered.sequence;
      const lastSubjectSequence = remembered.sequence;
      // Until the answer is there, anything may have happened.
      remembered.sequence = null;
      try {
        const { seq } = await client.publish(name, encodeUsageMessage(remembered.counts), {
          expect: { lastSubjectSequence },
        });
        remembered.sequence = seq;
        return seq;
      } catch (error) {
        if (!isWrongLastSequence(error)) throw error;
      }
    }
    throw new Error(`usage could not be published: others won ${MAX_ROUNDS} times in a row`);
  }

  private recall(name: string, connection: NatsConnection): Remembered {
    const known = this.remembered.get(name);
    const remembered = known ?? { counts: new CountsText(), sequence: null, connection };
    if (remembered.connection !== connection) remembered.sequence = null;
    remembered.connection = connection;
    this.remembered.delete(name);
    this.remembered.set(name, remembered);
    for (const oldest of this.remembered.keys()) {
      if (this.remembered.size <= REMEMBERED_SUBJECTS) break;
      this.remembered.delete(oldest);
    }
    return remembered;
  }
}

/** The last message of a subject: sequence 0 and no counts when there is none. */
async function readStored(stream: UsageStream, name: string) {
  const none = { counts: new Map<string, number>(), sequence: 0 };
  const message = await stream.manager.streams
    .getMessage(stream.name, { last_by_subj: name })
    .catch((error: unknown) => {
      if (isMessageNotFound(error)) return null;
      throw error;
    });
  if (message === null) return none;
  const stored = decodeUsageMessage(message.data);
  if ("counts" in stored) return { counts: stored.counts, sequence: message.seq };
  if (stored.foreign)
    throw new Error(
      `another version of geolookup wrote message ${message.seq}, ${stored.problem}: it is left as it is`,
    );
  return { ...none, sequence: message.seq };
}
