import { randomBytes } from "node:crypto";
import type { Grant, Quota } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { createCalendar, type Period } from "@geolookup/shared/domain/period.ts";
import type { Admission, Month, UsageLog } from "@geolookup/shared/domain/usage.ts";
import { accountOf, quotaOf } from "@geolookup/shared/domain/usage-shard.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { exposeWriteFailures } from "@geolookup/shared/runtime/observability/write-failures.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { Registry } from "@prometheus-io/client";
import { admitKey } from "./admission.ts";
import { startFlusher } from "./flusher.ts";
import type { PeerUsage } from "./follow-peer-usage.ts";
import { Journal } from "./journal.ts";
import { ACCOUNT } from "./journal-file.ts";
import { openJournalFolder } from "./journal-folder.ts";
import { type JournalReserve, openJournalReserve } from "./journal-reserve.ts";
import type { KeyMonth, MonthBook, Reported } from "./key-month.ts";
import { Ledger } from "./ledger.ts";
import { createMeterMetrics, exposeReadings } from "./meter-metrics.ts";
import { openPeerUsage, type PeerUsageOptions } from "./open-peer-usage.ts";
import { readAbandonedJournals, recoverJournals } from "./recover-journals.ts";

export const FLUSH_INTERVAL_MS = 1_000;

/** How long opening waits for recovery, which then continues in the background. */
const RECOVERY_TIMEOUT_MS = 2_000;

/** How often a gateway looks for journals of stopped ones. */
const ABANDONED_CHECK_INTERVAL_MS = 15_000;

export interface MeterOptions extends PeerUsageOptions {
  /** The folder of this gateway's journal; with `isShared` the first of several. */
  folder: string;
  /**
   * Whether several gateways keep their journals here, each in the first free one of `folder`, `folder-2`, `folder-3`….
   * Journals that stopped gateways left in other folders are then recovered, at start and later.
   */
  isShared?: boolean;
  usageLog: UsageLog;
  clock: Clock;
  log: Logger;
  registry: Registry;
  flushIntervalMs?: number;
  /** The minimum size at which the journal is rotated. */
  rotateJournalAtBytes?: number;
  /** How often abandoned journals are looked for. */
  abandonedCheckIntervalMs?: number;
}

/** The part of a grant that the meter needs. Only the meter reads and writes `counts`. */
export type MeteredKey = Pick<Grant, "keyId" | "monthlyRequests" | "quota" | "nextQuota" | "counts">;

/** Counts requests against the monthly quotas of keys and customers. */
export interface Meter {
  /**
   * Checks a key's quota and reserves one request in this month (UTC), in a single synchronous step. A quota's first request
   * in a month, and the first one after a usage node restarts, may wait for peer usage.
   */
  admit(key: MeteredKey): Admission | Promise<Admission>;
  /** Publishes all counts and releases the folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the meter of one gateway instance. Counts left by crashed instances are published first, under their own IDs; if
 * the usage log is unavailable, later.
 * @throws StartError if the folder is in use or not writable.
 */
export async function openMeter(options: MeterOptions): Promise<Meter> {
  const { usageLog, clock, log, registry } = options;
  const instanceId = randomBytes(8).toString("hex");
  const metrics = createMeterMetrics(registry);
  /** A configuration error persists until an operator fixes it, so it is logged once. */
  let loggedConfigurationError = "";
  const observer = {
    published(durationMs: number) {
      loggedConfigurationError = "";
      metrics.publishSeconds.observe(durationMs / 1000);
    },
    failed(error: Error) {
      metrics.publishFailures.inc();
      const isConfiguration = error instanceof StartError;
      const message = "usage not published; retrying";
      if (!isConfiguration) budgeted(log).error({ err: error }, message);
      else if (error.message !== loggedConfigurationError) log.error({ err: error }, message);
      if (isConfiguration) loggedConfigurationError = error.message;
    },
  };

  await using opened = new AsyncDisposableStack();
  const onDamaged = () => metrics.damagedJournals.inc();
  const journalFolder = opened.use(
    await openJournalFolder(options.folder, options.isShared ?? false, { log, onDamaged }),
  );
  const { folder } = journalFolder;
  const journals = [...readAbandonedJournals(folder, log, onDamaged), ...journalFolder.findAbandoned()];
  const recovery = recoverJournals({ journals, usageLog, onFailure: observer.failed });
  const ledger = new Ledger(instanceId, clock);
  const peerUsage = opened.use(
    await openPeerUsage(options, { instanceId, ledger, recovery, onQueried: metrics.queried }),
  );
  await recovery.runFor(RECOVERY_TIMEOUT_MS);

  const calendar = createCalendar(clock);
  const writes = exposeWriteFailures(registry, log);
  const onFailure = (error: Error) => {
    metrics.journalFailures.inc();
    writes.failed(folder, error);
  };
  const onRecovered = () => writes.succeeded(folder);
  const journal = createJournal({
    folder,
    instanceId,
    onFailure,
    onRecovered,
    rotateAtBytes: options.rotateJournalAtBytes,
  });
  let reserve: JournalReserve | null = null;
  try {
    reserve = opened.use(openJournalReserve(folder));
  } catch (error) {
    writes.failed(folder, error);
  }
  opened.defer(() => {
    const left = [...ledger.unacknowledged()];
    journal.close(left, reserve);
    if (left.length > 0 && journal.isIncomplete)
      log.error({ path: folder, keys: left.length }, "usage counts lost: neither published nor in the journal");
  });
  const flusher = startFlusher({
    ledger,
    usageLog,
    recovery,
    intervalMs: options.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    observer,
    afterFlush() {
      journal.rotateIfDue(ledger.unacknowledgedCount, () => ledger.unacknowledged());
      ledger.forgetBefore(calendar().month, performance.now());
    },
    log,
  });
  opened.use(flusher);
  const findingAbandoned = repeat(
    options.abandonedCheckIntervalMs ?? ABANDONED_CHECK_INTERVAL_MS,
    () => recovery.add(journalFolder.findAbandoned()),
    log,
  );
  opened.use(findingAbandoned);

  exposeReadings(registry, {
    journalBytes: () => journal.bytes,
    journalWrites: () => journal.writes,
    unacknowledgedCounts: () => ledger.unacknowledgedCount,
    flushLagMs: () => ledger.lagMs,
  });
  const count = (key: KeyMonth, period: Period) => journal.append(period.day, key.account, ledger.count(key, period));
  const decide = (key: KeyMonth, period: Period, limit: number): Admission => {
    const admission = admitKey(key, period, limit, count);
    metrics[admission.admitted ? "admitted" : "refused"].count += 1;
    return admission;
  };
  let book = ledger.book(calendar().month);
  const open = opened.move();
  return {
    admit(metered) {
      const period = calendar();
      const quota = quotaIn(metered, period.month);
      const limit = quota === undefined ? metered.monthlyRequests : quota.monthlyRequests;
      if (book.month !== period.month) book = ledger.book(period.month);
      let key = metered.counts as KeyMonth | undefined;
      if (key?.book !== book) {
        const account = quota === undefined ? metered.keyId : accountOf(quota.id, metered.keyId);
        const opening = book.keys.get(account) ?? openKey(ledger, book, account, peerUsage);
        if (opening instanceof Promise)
          return opening.then(async (opened) => {
            await peerUsage.refreshIfStale(opened.quota);
            return decide(opened, period, limit);
          });
        key = opening;
        metered.counts = key;
      }
      const refreshing = peerUsage.refreshIfStale(key.quota);
      return refreshing ? refreshing.then(() => decide(key, period, limit)) : decide(key, period, limit);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** What a key's requests in a month count toward; undefined: a quota of its own. */
function quotaIn({ quota, nextQuota }: MeteredKey, month: Month): Quota | undefined {
  return nextQuota !== undefined && month >= nextQuota.from ? nextQuota : quota;
}

/** Starts counting a key in a month, once the peer usage of its quota is known. */
function openKey(ledger: Ledger, book: MonthBook, account: string, peerUsage: PeerUsage): KeyMonth | Promise<KeyMonth> {
  if (!ACCOUNT.test(account)) throw new Error("key ID not valid in a journal");
  const quotaId = quotaOf(account);
  const quota = book.keys.get(quotaId) ?? openQuota(ledger, book, quotaId, peerUsage);
  if (quotaId === account) return quota;
  const open = (shared: KeyMonth) => book.keys.get(account) ?? ledger.open(book, account, shared);
  return quota instanceof Promise ? quota.then(open) : open(quota);
}

/** Concurrent first requests of a quota share one query. */
function openQuota(
  ledger: Ledger,
  book: MonthBook,
  quotaId: string,
  peerUsage: PeerUsage,
): KeyMonth | Promise<KeyMonth> {
  const opening = book.opening.get(quotaId);
  if (opening) return opening;
  const open = (reported: Reported) => {
    const quota = ledger.open(book, quotaId);
    peerUsage.record(quota, reported);
    return quota;
  };
  const reported = peerUsage.fetchTotal(quotaId, book.month);
  if (!(reported instanceof Promise)) return open(reported);
  const promise = reported.then(open).finally(() => {
    book.opening.delete(quotaId);
  });
  book.opening.set(quotaId, promise);
  return promise;
}

function createJournal(options: ConstructorParameters<typeof Journal>[0]): Journal {
  try {
    return new Journal(options);
  } catch (error) {
    throw new StartError(`cannot write usage journals to ${options.folder}: ${(error as Error).message}`);
  }
}
