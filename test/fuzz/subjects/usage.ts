import { isDeepStrictEqual } from "node:util";
import { parseJournal } from "@geolookup/gateway/limits/monthly/journal-file.ts";
import { checkedLine } from "@geolookup/shared/logs/files/log-file.ts";
import { countsOf, decodeUsageLine, encodeUsageLine } from "@geolookup/shared/logs/usage/file/line.ts";
import {
  decodeUsageMessage,
  encodeUsageMessage,
  parseNatsMonthSubject,
  parseNatsSubject,
} from "@geolookup/shared/logs/usage/jetstream/message.ts";
import fc from "fast-check";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";

const COUNTS = new Map([
  ["key_000000000000", 7],
  ["key_aaaaaaaaaaaa", 123_456_789],
  ["customer_acme/key_000000000000", 3],
]);
const TOKENS = ['"__proto__":5', "9007199254740993", "-0", "1e3", "00", ",,", '"":1', "\\u0061", "é", '"a":1,"a":2'];
const MAX_COUNT = 10 ** 15;

/** Usage in streams, files and journals is refused, or read correctly. */
export function openUsage(corpus: readonly Uint8Array[]): FuzzSubject {
  const message = Buffer.from(encodeUsageMessage(COUNTS));
  const lines = [
    encodeUsageLine({ subject: { day: "2026-01-31", instanceId: "instance-1", shard: 63 }, counts: COUNTS }),
    encodeUsageLine({ month: "2026-01", shard: 0, totals: COUNTS }),
  ].map((line) => Buffer.from(line));
  const journal = Buffer.from("2026-01-31 key_000000000000 7\n2026-02-01 customer_acme/key_aaaaaaaaaaaa 1\n2026-02-0");
  const subjects = ["usage.20260131.instance-1.63", "usage-months.202601.0"].map((subject) => Buffer.from(subject));
  return {
    inputs: fc.oneof(
      mutated([message, ...lines, journal, ...subjects, ...corpus], TOKENS),
      mutated(
        lines.map((line) => line.subarray(line.indexOf(",") + 1)),
        TOKENS,
      ).map((body) => Buffer.from(checkedLine(Buffer.from(body).toString()))),
    ),
    check(input) {
      const bytes = Buffer.from(input);
      checkMessage(bytes);
      checkLine(bytes);
      const subject = bytes.toString();
      parseNatsSubject(subject);
      parseNatsMonthSubject(subject);
      for (const { account, count } of parseJournal(subject).counts) checkCount(account, count);
    },
  };
}

function checkMessage(bytes: Buffer): void {
  const read = decodeUsageMessage(bytes);
  if ("problem" in read) return;
  for (const [keyId, count] of read.counts) checkCount(keyId, count);
  const again = decodeUsageMessage(Buffer.from(encodeUsageMessage(read.counts)));
  if (!("counts" in again) || !isDeepStrictEqual(again.counts, read.counts))
    throw new Error("a message differs after reading and writing it");
}

function checkLine(bytes: Buffer): void {
  let line: ReturnType<typeof decodeUsageLine>;
  try {
    line = decodeUsageLine(bytes);
  } catch (error) {
    if ((error as Error).constructor !== Error) throw error;
    return;
  }
  for (const [keyId, count] of countsOf(line)) checkCount(keyId, count);
  if (!isDeepStrictEqual(decodeUsageLine(Buffer.from(encodeUsageLine(line))), line))
    throw new Error("a line differs after reading and writing it");
}

function checkCount(keyId: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${keyId} has the count ${count}`);
  if (count > 10 * MAX_COUNT) throw new Error(`${keyId} has an impossibly large count: ${count}`);
}
