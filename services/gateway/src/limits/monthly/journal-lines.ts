import { isDay } from "@geolookup/shared/domain/period.ts";
import type { DayCount } from "./ledger.ts";

/** Key IDs that need no escaping in journals and subjects. */
export const KEY_ID = /^[\w-]{1,100}$/;

const LINE = /^(\d{4}-\d\d-\d\d) ([\w-]{1,100}) ([1-9]\d{0,14})$/;

/** What a write cut short by a crash may leave: the beginning of a line. */
const TORN_LINE = /^[\d-]{0,10}$|^\d{4}-\d\d-\d\d [\w-]{0,100}$|^\d{4}-\d\d-\d\d [\w-]{1,100} \d{0,15}$/;

/** One line of a journal: a key's cumulative count for a day. */
export function journalLine(day: string, keyId: string, count: number): string {
  return `${day} ${keyId} ${count}\n`;
}

/**
 * Parses a journal. The last line may be torn: by a killed process, whose response was never sent, or by a power failure, which may also
 * have taken whole lines after it.
 * @returns the counts of the valid lines, the number of damaged ones, and whether the last line is torn.
 */
export function parseJournal(text: string): { counts: DayCount[]; damagedLines: number; isTorn: boolean } {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  const counts = lines.flatMap((line) => {
    const [, day = "", keyId = "", count] = LINE.exec(line) ?? [];
    return isDay(day) ? [{ day, keyId, count: Number(count) }] : [];
  });
  const isTorn = torn !== "" && TORN_LINE.test(torn);
  return { counts, damagedLines: lines.length - counts.length + (torn === "" || isTorn ? 0 : 1), isTorn };
}
