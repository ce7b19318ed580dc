import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { createCalendar, type Period } from "@geolookup/shared/domain/period.ts";
import type { Admission, PeerUsageClient, UsageLog } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import type { Registry } from "prom-client";
import { readDeadJournals } from "./abandoned-journals.ts";
import { admitKey } from "./admission.ts";
import { startFlusher } from "./flusher.ts";
import { Journal } from "./journal.ts";
import { openJournalFolder } from "./journal-folder.ts";
import { KEY_ID } from "./journal-lines.ts";
import type { KeyMonth } from "./key-month.ts";
import { Ledger } from "./ledger.ts";
import { createMeterMetrics, exposeReadings } from "./meter-metrics.ts";
import { openOthers } from "./open-peer-usage.ts";
import type { Others, Told } from "./peer-usage.ts";
import { createRescue } from "./recovery.ts";

const FLUSH_INTERVAL_MS = 1_000;

/** How long opening waits for the journals of dead boots to be published; after that they are published meanwhile. */
const RESCUE_TIMEOUT_MS = 2_000;

/** How often a gateway looks whether another one has left its journals. */
const LOOK_FOR_ABANDONED_MS = 15_000;

export interface MeterOptions {
  /** The journal's folder, this gateway's own; with `isShared` the first of several. */
  folder: string;
  /**
   * Whether several gateways have their journals here, each in the first of `folder`, `folder-2`, `folder-3`… that
   * is free. What one that is gone has left in another folder is published too, at the start and later.
   */
  isShared?: boolean;
  usageLog: UsageLog;
  clock: Clock;
  log: Logger;
  registry: Registry;
  /**
   * Who tells what everyone but this boot counts; the meter closes it. Default: what the usage log
   * held at start, right when nobody else writes to it.
   */
  others?: (instanceId: string) => PeerUsageClient;
  flushIntervalMs?: number;
  /** How often others are asked anew. */
  refreshIntervalMs?: number;
  /** The journal's size from which it is written anew. */
  rotateJournalAtBytes?: number;
  /** How often journals in abandoned folders are looked for. */
  lookForAbandonedMs?: number;
}

/** Counts requests against the monthly quotas of keys. */
export interface Meter {
  /**
   * Checks a key's quota and reserves room for one request in this month (UTC), in one synchronous
   * step. A key's first request in a month, and one after a while without, may wait for what others
   * counted.
   */
  admit(keyId: string, monthlyRequests: number): Admission | Promise<Admission>;
  /** Flushes what is counted and gives the folder free. */
  close(): Promise<void>;
}

/**
 * Opens the meter of one gateway boot. The counts of boots that were killed are published first,
 * under their own ids; when the log does not take them soon, later.
 * @throws StartError when the folder is taken or cannot be written.
 */
export async function openMeter(options: MeterOptions): Promise<Meter> {
  const { usageLog, clock, log, registry } = options;
  const instanceId = randomBytes(8).toString("hex");
  const metrics = createMeterMetrics(registry);
  /** What an operator has to change is said once: it fails until then. */
  let saidToChange = "";
  const observer = {
    published(durationMs: number) {
      saidToChange = "";
      metrics.publishSeconds.observe(durationMs / 1000);
    },
    failed(error: Error) {
      metrics.publishFailures.inc();
      const isToChange = error instanceof StartError;
      const message = "usage not published; retrying";
      if (!isToChange) budgeted(log).error({ err: error }, message);
      else if (error.message !== saidToChange) log.error({ err: error }, message);
      if (isToChange) saidToChange = error.message;
    },
  };

  await using opened = new AsyncDisposableStack();
  const onDamaged = () => metrics.damagedJournals.inc();
  const held = openJournalFolder(options.folder, options.isShared ?? false, { log, onDamaged });
  opened.defer(() => held.release());
  const dead = [...readDeadJournals(held.folder, log, onDamaged), ...held.abandoned()];
  const rescue = createRescue({ journals: dead, usageLog, onFailure: observer.failed });
  const ledger = new Ledger(instanceId, clock);
  const others = await openOthers(options, { instanceId, ledger, rescue, onAsked: metrics.asked });
  opened.defer(() => others.close());
  await rescue.runFor(RESCUE_TIMEOUT_MS);

  const calendar = createCalendar(clock);
  const journal = createJournal(held.folder, options, instanceId, (error) => {
    metrics.journalFailures.inc();
    budgeted(log).error(
      { err: error },
      "usage journal not writable; counts are kept in memory and published from there",
    );
  });
  opened.defer(() => journal.close(ledger.unacknowledgedCount === 0));
  const flusher = startFlusher({
    ledger,
    usageLog,
    rescue,
    intervalMs: options.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    observer,
    afterFlush() {
      journal.rotateIfDue(ledger.unacknowledgedCount, () => ledger.unacknowledged());
      ledger.forgetBefore(calendar().month, performance.now());
    },
    log,
  });
  opened.defer(() => flusher.close());
  const lookForAbandonedMs = options.lookForAbandonedMs ?? LOOK_FOR_ABANDONED_MS;
  const looking = repeat(lookForAbandonedMs, () => rescue.add(held.abandoned()), log);
  opened.defer(() => looking.close());

  exposeReadings(registry, {
    journalBytes: () => journal.bytes,
    journalWrites: () => journal.writes,
    unacknowledgedCounts: () => ledger.unacknowledgedCount,
    flushLagMs: () => ledger.lagMs,
  });
  const count = (key: KeyMonth, period: Period) => journal.append(period.day, key.keyId, ledger.count(key, period));
  const decide = (key: KeyMonth, period: Period, monthlyRequests: number): Admission => {
    const admission = admitKey(key, period, monthlyRequests, count);
    metrics[admission.admitted ? "admitted" : "refused"].count += 1;
    return admission;
  };
  let book = ledger.book(calendar().month);
  const open = opened.move();
  return {
    admit(keyId, monthlyRequests) {
      const period = calendar();
      if (book.month !== period.month) book = ledger.book(period.month);
      const key = book.keys.get(keyId) ?? openKey(ledger, book, keyId, others);
      if (key instanceof Promise)
        return key.then(async (opened) => {
          await others.use(opened);
          return decide(opened, period, monthlyRequests);
        });
      const asking = others.use(key);
      return asking ? asking.then(() => decide(key, period, monthlyRequests)) : decide(key, period, monthlyRequests);
    },
    close: () => open.disposeAsync(),
  };
}

/** Starts counting a key in a month, once what others counted in it is known; requests in the meantime wait together. */
function openKey(ledger: Ledger, book: KeyMonth["book"], keyId: string, others: Others): KeyMonth | Promise<KeyMonth> {
  const opening = book.opening.get(keyId);
  if (opening) return opening;
  if (!KEY_ID.test(keyId)) throw new Error("a key id that no journal can carry");
  const open = (told: Told) => {
    const key = ledger.open(book, keyId);
    others.learn(key, told);
    return key;
  };
  const told = others.first(keyId, book.month);
  if (!(told instanceof Promise)) return open(told);
  const promise = told.then(open).finally(() => {
    book.opening.delete(keyId);
  });
  book.opening.set(keyId, promise);
  return promise;
}

function createJournal(
  folder: string,
  { rotateJournalAtBytes: rotateAtBytes }: MeterOptions,
  instanceId: string,
  onFailure: (error: Error) => void,
): Journal {
  try {
    return new Journal({ folder, instanceId, onFailure, rotateAtBytes });
  } catch (error) {
    throw new StartError(`cannot write usage journals to ${folder}: ${(error as Error).message}`);
  }
}
