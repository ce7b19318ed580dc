import type { Month, UsageSubject } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";

/** One month's requests of all keys. */
export interface MonthBook {
  readonly month: Month;
  /** By account (accountOf). */
  readonly keys: Map<string, KeyMonth>;
  /** Quotas whose first requests are waiting for peer usage. */
  readonly opening: Map<string, Promise<KeyMonth>>;
  reserved: number;
  /** When it was last the current month, in milliseconds of process time; null until that is checked. */
  lastCurrentMs: number | null;
  /** By day of the month and shard; empty where nothing was counted. */
  readonly shardDays: ShardDay[][];
}

/** One subject of the usage log, and what has yet to be published under it. */
export interface ShardDay {
  readonly subject: UsageSubject;
  readonly dayOfMonth: number;
  /** How many keys have a count in it: the maximum in one message. */
  keyCount: number;
  /** Keys with unpublished counts. A key that was also counted on another day in between may appear twice. */
  changed: KeyMonth[];
  /** Keys whose counts are being published; null if none are. */
  inFlight: KeyMonth[] | null;
  /** When the oldest of `changed` and of `inFlight` changed, in Unix milliseconds. */
  changedSinceMs: number;
  inFlightSinceMs: number;
}

/**
 * A key's requests in one month, as this instance knows them. With many active keys, a request's cost is mostly memory
 * fetches, so everything a request needs is in this one object, unless keys share a quota.
 */
export interface KeyMonth {
  /** The name of its counts (accountOf). */
  readonly account: string;
  readonly shard: number;
  readonly book: MonthBook;
  /** Holds what its requests count toward: itself, or the entry of a shared quota, under the quota's ID. */
  readonly quota: KeyMonth;
  /** Of a quota: the total of all other gateways, as last reported; never falls. */
  peerUsage: number;
  /** The era in which `peerUsage` was requested; see followPeerUsage. */
  peerUsageEra: number;
  /** Shared by all requests that wait for `peerUsage`. */
  refreshing: Promise<void> | null;
  /** Of a quota: requests that this instance has served, of all its keys. */
  counted: number;
  /** Of a quota: requests that this instance has admitted and not yet served. */
  reserved: number;
  /** The day of the month on which it was last counted; 0 before the first time. */
  day: number;
  /** The key's own requests on `day`; cumulative, as published. */
  dayCount: number;
  /** Whether it is among that day's changed keys. */
  isChanged: boolean;
  /** Counts by day of the month; null while there is only one day. Outdated for `day`. */
  days: number[] | null;
}

/** @param quota a shared quota's entry. Absent: its own. */
export function createKeyMonth(book: MonthBook, account: string, quota?: KeyMonth): KeyMonth {
  const key = {
    account,
    shard: shardOf(account),
    book,
    quota: quota as KeyMonth,
    peerUsage: 0,
    peerUsageEra: UNREPORTED,
    refreshing: null,
    counted: 0,
    reserved: 0,
    day: 0,
    dayCount: 0,
    isChanged: false,
    days: null,
  };
  key.quota ??= key;
  return key;
}

/** The cumulative count of a day of the month. */
export function countOf(key: KeyMonth, dayOfMonth: number): number {
  return key.day === dayOfMonth ? key.dayCount : (key.days?.[dayOfMonth - 1] ?? 0);
}

/** Switches to counting another day. */
export function switchDay(key: KeyMonth, dayOfMonth: number): void {
  if (key.day > 0) {
    key.days ??= new Array<number>(31).fill(0);
    key.days[key.day - 1] = key.dayCount;
  }
  key.dayCount = key.days?.[dayOfMonth - 1] ?? 0;
  key.day = dayOfMonth;
  key.isChanged = false;
}

/** The era of a total that no usage node has reported. */
export const UNREPORTED = -1;

/** A quota's total as a usage node reported it. */
export interface Reported {
  total: number;
  /** The era in which it was requested; see followPeerUsage. */
  era: number;
  /** How far the node had read the usage log. */
  position: number;
}
