import { ServiceError } from "@geolookup/shared/domain/service-error.ts";

/** Full batches' worth of items that may wait for results, to bound memory. */
const MAX_BATCHES_WAITING = 64;

/**
 * Collects items into batches: those of one turn of the event loop, then those of the next millisecond. A full batch is sent
 * immediately.
 */
export interface Batcher<Item, Result> {
  /** Rejects immediately with a ServiceError `unavailable` if too many items are waiting for results. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * @param options.send sends a batch and returns one result per item, in order. An Error rejects its item; a rejection rejects
 *   all of them.
 * @param options.maxSize items per batch.
 * @param options.intervalMs milliseconds between two batches that aren't full. Default: 1.
 */
export function createBatcher<Item, Result>(options: {
  send: (items: Item[]) => Promise<(Result | Error)[]>;
  maxSize: number;
  intervalMs?: number;
}): Batcher<Item, Result> {
  const maxWaiting = options.maxSize * MAX_BATCHES_WAITING;
  let pending: Waiting<Item, Result>[] = [];
  let waiting = 0;

  const sendBatch = async (batch: Waiting<Item, Result>[]) => {
    try {
      const results = await options.send(batch.map(({ item }) => item));
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items got ${results.length} results`);
      }
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      waiting -= batch.length;
    }
  };
  const timer = createBatchTimer(() => {
    const batch = pending;
    pending = [];
    void sendBatch(batch);
  }, options.intervalMs);

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting >= maxWaiting) {
          reject(new ServiceError("unavailable", `${waiting} requests are already waiting`));
          return;
        }
        waiting += 1;
        pending.push({ item, resolve, reject });
        // Node writes the output of a turn at its end, so sending in the middle of a turn would gain nothing.
        if (pending.length === options.maxSize) timer.sendNow();
        else if (pending.length === 1) timer.start();
      }),
  };
}

/**
 * Milliseconds between two batches that aren't full: docs/decisions/batching-lookups.md. A call costs about as much as the
 * rest of several requests.
 */
const INTERVAL_MS = 1;

/** Decides when to send a batch. */
export interface BatchTimer {
  /** Call for the first item of a batch. It is sent at the end of this turn, or an interval after the previous batch. */
  start(): void;
  /** Sends a full batch immediately. */
  sendNow(): void;
}

/**
 * @param send sends all pending items.
 * @param intervalMs milliseconds between two batches that aren't full.
 */
export function createBatchTimer(send: () => void, intervalMs = INTERVAL_MS): BatchTimer {
  let isPending = false;
  /** Runs for one interval after a batch was sent. */
  let interval: NodeJS.Timeout | null = null;

  const sendNow = () => {
    isPending = false;
    if (interval) interval.refresh();
    else interval = setTimeout(endInterval, intervalMs);
    send();
  };
  const endInterval = () => {
    interval = null;
    if (isPending) sendNow();
  };
  const endTurn = () => {
    if (isPending && !interval) sendNow();
  };
  return {
    start: () => {
      isPending = true;
      setImmediate(endTurn);
    },
    sendNow,
  };
}
