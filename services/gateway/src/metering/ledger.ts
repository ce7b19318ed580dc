import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { dayOf, type Period, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { Day, KeyCounts, Month, UsageSubject } from "@geolookup/shared/domain/usage.ts";
import { countOf, createKeyMonth, type KeyMonth, turnTo } from "./key-month.ts";

/** A month is forgotten this long after it was last the current one: a clock that jumps and returns finds it again. */
const FORGET_AFTER_MS = 86_400_000;

export interface MonthBook {
  readonly month: Month;
  readonly keys: Map<string, KeyMonth>;
  /** Keys that wait for their total. */
  readonly opening: Map<string, Promise<KeyMonth>>;
  reserved: number;
  /** When it was last the current month, in milliseconds of process time; null before that was looked at. */
  lastCurrentMs: number | null;
  /** By day of the month and shard; holes where nothing was counted. */
  readonly shardDays: ShardDay[][];
}

/** One subject of the usage log: what of it is not yet published. */
export interface ShardDay {
  readonly subject: UsageSubject;
  readonly dayOfMonth: number;
  /** How many keys have a count in it: its message may have to hold them all. */
  keyCount: number;
  /** Keys with counts to be published. One that was counted on another day in between may be in it twice. */
  changed: KeyMonth[];
  /** What is being published; null when nothing is. */
  inFlight: KeyMonth[] | null;
  /** Since when the oldest of `changed` and of `inFlight` waits, in milliseconds since the Unix epoch. */
  changedSinceMs: number;
  inFlightSinceMs: number;
}

/** One cumulative count of this boot, as the journal and the usage log have it. */
export interface DayCount {
  day: Day;
  keyId: string;
  count: number;
}

/** This boot's counts in memory: of every key by month and day, and which of them the usage log has not acknowledged. */
export class Ledger {
  private readonly instanceId: string;
  private readonly clock: Clock;
  private readonly books = new Map<Month, MonthBook>();
  private readonly waiting = new Set<ShardDay>();

  constructor(instanceId: string, clock: Clock) {
    this.instanceId = instanceId;
    this.clock = clock;
  }

  book(month: Month): MonthBook {
    let book = this.books.get(month);
    if (!book) {
      book = { month, keys: new Map(), opening: new Map(), reserved: 0, lastCurrentMs: null, shardDays: [] };
      this.books.set(month, book);
    }
    return book;
  }

  /** A key's requests in a month, if it was opened in it. */
  find(keyId: string, month: Month): KeyMonth | undefined {
    return this.books.get(month)?.keys.get(keyId);
  }

  /** Starts counting a key in a month. What others counted in it is yet to be told. */
  open(book: MonthBook, keyId: string): KeyMonth {
    const key = createKeyMonth(book, keyId);
    book.keys.set(keyId, key);
    return key;
  }

  /**
   * Counts one request in the period in which it was admitted.
   * @returns the key's new cumulative count of that day.
   */
  count(key: KeyMonth, period: Period): number {
    const { dayOfMonth } = period;
    if (key.day !== dayOfMonth) turnTo(key, dayOfMonth);
    const count = key.dayCount + 1;
    key.dayCount = count;
    key.counted += 1;
    if (key.isChanged) return count;
    key.isChanged = true;
    const shardDay = key.book.shardDays[dayOfMonth]?.[key.shard] ?? this.openShardDay(key, dayOfMonth);
    if (count === 1) shardDay.keyCount += 1;
    if (shardDay.changed.length === 0) {
      shardDay.changedSinceMs = this.clock();
      this.waiting.add(shardDay);
    }
    shardDay.changed.push(key);
    return count;
  }

  /** What can be published now, first what has waited longest: a subject that is in flight waits for its turn. */
  publishable(): ShardDay[] {
    return [...this.waiting].filter(({ inFlight, changed }) => inFlight === null && changed.length > 0);
  }

  /** Takes the changed counts of a subject to publish them; `acknowledge` or `giveBack` must follow. */
  take(shardDay: ShardDay): KeyCounts {
    const { dayOfMonth } = shardDay;
    const counts = new Map<string, number>();
    for (const key of shardDay.changed) {
      counts.set(key.keyId, countOf(key, dayOfMonth));
      if (key.day === dayOfMonth) key.isChanged = false;
    }
    shardDay.inFlight = shardDay.changed;
    shardDay.inFlightSinceMs = shardDay.changedSinceMs;
    shardDay.changed = [];
    return counts;
  }

  /** The log has what was taken. */
  acknowledge(shardDay: ShardDay): void {
    shardDay.inFlight = null;
    this.waiting.delete(shardDay);
    if (shardDay.changed.length > 0) this.waiting.add(shardDay);
  }

  /** The log may not have what was taken: it waits again. */
  giveBack(shardDay: ShardDay): void {
    for (const key of shardDay.inFlight ?? []) {
      if (key.day === shardDay.dayOfMonth) {
        if (key.isChanged) continue;
        key.isChanged = true;
      }
      shardDay.changed.push(key);
    }
    shardDay.inFlight = null;
    shardDay.changedSinceMs = shardDay.inFlightSinceMs;
  }

  /** Every count that the usage log has not acknowledged. */
  *unacknowledged(): Generator<DayCount> {
    for (const { subject, dayOfMonth, changed, inFlight } of this.waiting)
      for (const key of new Set(inFlight ? [...inFlight, ...changed] : changed))
        yield { day: subject.day, keyId: key.keyId, count: countOf(key, dayOfMonth) };
  }

  /** How many counts are not acknowledged. A count that changed again while in flight is two. */
  get unacknowledgedCount(): number {
    let count = 0;
    for (const { changed, inFlight } of this.waiting) count += changed.length + (inFlight?.length ?? 0);
    return count;
  }

  /** For how long the oldest unacknowledged count waits, in milliseconds. */
  get lagMs(): number {
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const { inFlight, inFlightSinceMs, changedSinceMs } of this.waiting)
      oldestMs = Math.min(oldestMs, inFlight ? inFlightSinceMs : changedSinceMs);
    return this.waiting.size === 0 ? 0 : Math.max(0, this.clock() - oldestMs);
  }

  /**
   * Forgets months that are over and settled. The month before the current one stays: requests
   * admitted in it may still be answered.
   * @param uptimeMs process time, which no change of the clock moves.
   */
  forgetBefore(current: Month, uptimeMs: number): void {
    const keptFrom = previousMonth(current);
    for (const [month, book] of this.books) {
      if (month === current || book.lastCurrentMs === null) book.lastCurrentMs = uptimeMs;
      if (month >= keptFrom || uptimeMs - book.lastCurrentMs < FORGET_AFTER_MS) continue;
      if (book.reserved > 0 || book.opening.size > 0) continue;
      if (book.shardDays.some((shards) => shards.some((shardDay) => this.waiting.has(shardDay)))) continue;
      this.books.delete(month);
    }
  }

  get monthCount(): number {
    return this.books.size;
  }

  private openShardDay(key: KeyMonth, dayOfMonth: number): ShardDay {
    const { book, shard } = key;
    const subject = { day: dayOf(book.month, dayOfMonth), instanceId: this.instanceId, shard };
    const shardDay: ShardDay = {
      subject,
      dayOfMonth,
      keyCount: 0,
      changed: [],
      inFlight: null,
      changedSinceMs: 0,
      inFlightSinceMs: 0,
    };
    const shards = book.shardDays[dayOfMonth] ?? [];
    shards[shard] = shardDay;
    book.shardDays[dayOfMonth] = shards;
    return shardDay;
  }
}
