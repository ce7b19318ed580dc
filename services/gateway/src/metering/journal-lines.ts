import { isDay } from "@geolookup/shared/domain/period.ts";
import type { DayCount } from "./ledger.ts";

/** Key ids that journals and subjects can carry as they are. */
export const KEY_ID = /^[\w-]{1,100}$/;

const LINE = /^(\d{4}-\d\d-\d\d) ([\w-]{1,100}) ([1-9]\d{0,14})$/;

/** What a write that a crash cut short may leave of a line: its beginning. */
const TORN_LINE = /^[\d-]{0,10}$|^\d{4}-\d\d-\d\d [\w-]{0,100}$|^\d{4}-\d\d-\d\d [\w-]{1,100} \d{0,15}$/;

/** One line of a journal: a key's cumulative count of a day. */
export function journalLine(day: string, keyId: string, count: number): string {
  return `${day} ${keyId} ${count}\n`;
}

/**
 * Reads a journal back. A torn last line is left out: its request was never answered.
 * @returns the counts of the lines that can be read, and how many others there are.
 */
export function parseJournal(text: string): { counts: DayCount[]; damagedLines: number } {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  const counts = lines.flatMap((line) => {
    const [, day = "", keyId = "", count] = LINE.exec(line) ?? [];
    return isDay(day) ? [{ day, keyId, count: Number(count) }] : [];
  });
  return { counts, damagedLines: lines.length - counts.length + (TORN_LINE.test(torn) ? 0 : 1) };
}
