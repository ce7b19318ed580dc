import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { MonthBook } from "./ledger.ts";
import { UNTOLD } from "./peer-usage.ts";

/**
 * A key's requests in one month, as this boot knows them. With very many active keys a request's cost is that of
 * fetching what it touches from memory: what each request needs is in this one object.
 */
export interface KeyMonth {
  readonly keyId: string;
  readonly shard: number;
  readonly book: MonthBook;
  /** What everyone else counted, as far as this boot was told; never falls. */
  others: number;
  /** The era in which `others` was told; see followOthers. */
  othersEra: number;
  /** Requests wait for `others` together. */
  asking: Promise<void> | null;
  /** Answered by this boot. */
  counted: number;
  /** Admitted by this boot, not yet answered. */
  reserved: number;
  /** The day of the month on which it was counted last; 0 before the first. */
  day: number;
  /** How much of `counted` is of that day; cumulative, as it is published. */
  dayCount: number;
  /** Whether it is among that day's changed keys. */
  isChanged: boolean;
  /** The same by day of the month; null while all is of one day. Out of date for `day`. */
  days: number[] | null;
}

/** A key that was not counted yet. */
export function createKeyMonth(book: MonthBook, keyId: string): KeyMonth {
  return {
    keyId,
    shard: shardOf(keyId),
    book,
    others: 0,
    othersEra: UNTOLD,
    asking: null,
    counted: 0,
    reserved: 0,
    day: 0,
    dayCount: 0,
    isChanged: false,
    days: null,
  };
}

/** Its cumulative count of a day of the month. */
export function countOf(key: KeyMonth, dayOfMonth: number): number {
  return key.day === dayOfMonth ? key.dayCount : (key.days?.[dayOfMonth - 1] ?? 0);
}

/** Makes another day the one that is counted. */
export function turnTo(key: KeyMonth, dayOfMonth: number): void {
  if (key.day > 0) {
    key.days ??= new Array<number>(31).fill(0);
    key.days[key.day - 1] = key.dayCount;
  }
  key.dayCount = key.days?.[dayOfMonth - 1] ?? 0;
  key.day = dayOfMonth;
  key.isChanged = false;
}
