import type { RedisConnection } from "../redis-connection.ts";
import { parseStored } from "../redis-store.ts";
import type { Windows } from "../windows.ts";
import { parseHours } from "./hour-log.ts";
import { LOG_KEY, READ_LOG, SCAN_CALLERS, TRIM_LOG } from "./lease-scripts.ts";

/** The position before the first entry of the log. */
export const LOG_START = "0-0";

/** A page of the log is about this large: entries have one hour or thousands. */
const PAGE_BYTES = 65_536;
const MIN_ENTRIES = 4;
const MAX_ENTRIES = 4_096;

/** The mirror to complete. It already has the gateway's own counts. */
export interface Mirrored {
  redis: RedisConnection;
  gateway: string;
  mirror: Windows;
  nowMs: () => number;
}

/** An entry's ID, and what it has if it is one of a holder's. */
type LogEntry = [id: Buffer, holder: Buffer | undefined, hours: Buffer | undefined];

/** Reads the entries after a position into the mirror. @returns the position of the last one. @throws Error if Redis fails. */
export async function readLog({ redis, gateway, mirror, nowMs }: Mirrored, after: string): Promise<string> {
  let position = after;
  for (let limit = MIN_ENTRIES; ; ) {
    const options = { asBuffers: true };
    const read = (await redis.run(READ_LOG, [LOG_KEY], [position, String(limit)], options)) as LogEntry[];
    const now = nowMs();
    let bytes = 0;
    for (const [id, holder, hours] of read) {
      position = id.toString("latin1");
      if (holder === undefined || hours === undefined) continue;
      bytes += hours.length;
      const name = holder.toString("latin1");
      if (name === gateway) continue;
      for (const [caller, window] of parseHours(name, hours)) mirror.merge(caller, window, now);
    }
    if (read.length < limit) return position;
    limit = bytes < PAGE_BYTES ? Math.min(2 * limit, MAX_ENTRIES) : Math.max(limit >> 1, MIN_ENTRIES);
  }
}

/** Reads all callers into the mirror, while `isWanted`. @throws Error if Redis fails. */
export async function readCallers({ redis, gateway, mirror, nowMs }: Mirrored, isWanted: () => boolean): Promise<void> {
  let cursor = "0";
  do {
    const [next, ...read] = (await redis.run(SCAN_CALLERS, [], [cursor])) as [string, ...string[]];
    const now = nowMs();
    for (let at = 0; at < read.length; at += 2) {
      const stored = parseStored(read[at] as string, read[at + 1] as string, gateway);
      if (stored) mirror.merge(...stored, now);
    }
    cursor = next;
  } while (cursor !== "0" && isWanted());
}

/** Drops the entries up to a position. @throws Error if Redis fails. */
export async function trimLog(redis: RedisConnection, position: string): Promise<void> {
  if (position === LOG_START) return;
  const [time, number] = position.split("-");
  await redis.run(TRIM_LOG, [LOG_KEY], [`${time}-${Number(number) + 1}`]);
}
