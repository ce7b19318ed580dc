import { chunksOf } from "../../backup/archive-file.ts";
import type { SavedMessage } from "../../backup/stream-messages.ts";
import { decompressS2 } from "./s2.ts";
import { untar } from "./tar.ts";

/** Length, sequence, time and the subject's length. The checksum follows the message. */
const HEAD_BYTES = 22;
const CHECKSUM_BYTES = 8;
/** Flag in the length: the message has headers. */
const HAS_HEADERS = 0x80_00_00_00;
/** Flags in the sequence: the message was erased, or the record only marks an erasure. */
const NO_MESSAGE = (1n << 63n) | (1n << 62n);

/**
 * Reads the messages from a snapshot made by NATS, a compressed tar of its store's blocks. Backups of version 0.1 have
 * their keys in one. It is never sent to NATS as it is: a snapshot can contain consumers and settings too.
 * @throws Error naming the problem.
 */
export async function* readKeySnapshot(path: string): AsyncGenerator<SavedMessage> {
  let lastSequence = 0n;
  for await (const { content } of untar(decompressS2(chunksOf(path)), (name) => /^msgs\/\d+\.blk$/.test(name)))
    for (let at = 0; at < content.length; ) {
      if (content.length - at < HEAD_BYTES) throw new Error("a block in it is truncated");
      const flagged = content.readUInt32LE(at);
      const length = flagged & ~HAS_HEADERS;
      const sequence = content.readBigUInt64LE(at + 4);
      const subjectEnd = at + HEAD_BYTES + content.readUInt16LE(at + 20);
      const end = at + length - CHECKSUM_BYTES;
      if (subjectEnd > end || at + length > content.length) throw new Error("a block in it is damaged");
      const head = at;
      at += length;
      if ((sequence & NO_MESSAGE) !== 0n) continue;
      if (flagged >= HAS_HEADERS) throw new Error("a message in it has headers");
      if (sequence <= lastSequence) throw new Error("its messages are out of order");
      lastSequence = sequence;
      const subject = content.toString("utf8", head + HEAD_BYTES, subjectEnd);
      if (subject === "") throw new Error("a message in it has no subject");
      yield { subject, data: Buffer.from(content.subarray(subjectEnd, end)) };
    }
}
