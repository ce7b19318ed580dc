import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { dayOf, type Period, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { Day, KeyCounts, Month } from "@geolookup/shared/domain/usage.ts";
import { countOf, createKeyMonth, type KeyMonth, type MonthBook, type ShardDay, switchDay } from "./key-month.ts";

/** A month is dropped this long after it was last the current one, so a clock that jumps and returns finds it again. */
const FORGET_AFTER_MS = 86_400_000;

/** One cumulative count of this instance, as stored in the journal and the usage log. */
export interface DayCount {
  day: Day;
  account: string;
  count: number;
}

/** This instance's counts in memory, by account, month and day, and which of them the usage log hasn't acknowledged. */
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

  /** A quota's requests in a month; undefined if it has none. */
  find(quotaId: string, month: Month): KeyMonth | undefined {
    return this.books.get(month)?.keys.get(quotaId);
  }

  /** Starts counting a key in a month, toward a shared quota or its own, whose peer usage has yet to be recorded. */
  open(book: MonthBook, account: string, quota?: KeyMonth): KeyMonth {
    const key = createKeyMonth(book, account, quota);
    book.keys.set(account, key);
    return key;
  }

  /**
   * Counts one request in the period in which it was admitted.
   * @returns the key's new cumulative count of that day.
   */
  count(key: KeyMonth, period: Period): number {
    const { dayOfMonth } = period;
    if (key.day !== dayOfMonth) switchDay(key, dayOfMonth);
    const count = key.dayCount + 1;
    key.dayCount = count;
    key.quota.counted += 1;
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

  /** What can be published now, oldest first. Subjects in flight are left out. */
  publishable(): ShardDay[] {
    return [...this.waiting].filter(({ inFlight, changed }) => inFlight === null && changed.length > 0);
  }

  /** Takes the changed counts of a subject to publish them. Call `acknowledge` or `giveBack` afterwards. */
  take(shardDay: ShardDay): KeyCounts {
    const { dayOfMonth } = shardDay;
    const counts = new Map<string, number>();
    for (const key of shardDay.changed) {
      counts.set(key.account, countOf(key, dayOfMonth));
      if (key.day === dayOfMonth) key.isChanged = false;
    }
    shardDay.inFlight = shardDay.changed;
    shardDay.inFlightSinceMs = shardDay.changedSinceMs;
    shardDay.changed = [];
    return counts;
  }

  /** The usage log has stored what was taken. */
  acknowledge(shardDay: ShardDay): void {
    shardDay.inFlight = null;
    this.waiting.delete(shardDay);
    if (shardDay.changed.length > 0) this.waiting.add(shardDay);
  }

  /** Publishing failed: what was taken is unpublished again. */
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

  /** Every count that the usage log hasn't acknowledged. */
  *unacknowledged(): Generator<DayCount> {
    for (const { subject, dayOfMonth, changed, inFlight } of this.waiting)
      for (const key of new Set(inFlight ? [...inFlight, ...changed] : changed))
        yield { day: subject.day, account: key.account, count: countOf(key, dayOfMonth) };
  }

  /** The number of unacknowledged counts. A count that changed again while in flight counts twice. */
  get unacknowledgedCount(): number {
    let count = 0;
    for (const { changed, inFlight } of this.waiting) count += changed.length + (inFlight?.length ?? 0);
    return count;
  }

  /** The age of the oldest unacknowledged count, in milliseconds. */
  get lagMs(): number {
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const { inFlight, inFlightSinceMs, changedSinceMs } of this.waiting)
      oldestMs = Math.min(oldestMs, inFlight ? inFlightSinceMs : changedSinceMs);
    return this.waiting.size === 0 ? 0 : Math.max(0, this.clock() - oldestMs);
  }

  /**
   * Drops months that are over and fully published. The month before the current one stays: requests admitted in it may
   * still be in progress.
   * @param uptimeMs process time, which clock changes don't affect.
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
