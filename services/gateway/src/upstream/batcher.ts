import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { createGathering } from "./batch-timing.ts";

/** Full calls' worth of items that may wait for an answer at once. Memory stays bounded whatever callers do. */
const MAX_CALLS_WAITING = 64;

/**
 * Gathers items into calls: those of one turn of the event loop, and then those that come for a millisecond. A
 * full call leaves at once.
 */
export interface Batcher<Item, Result> {
  /** Rejects with a ServiceError `unavailable`, at once, when too many items wait for their answers. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * @param options.send answers a batch with one result an item, in order. An Error rejects its item; a rejection all of them.
 * @param options.maxSize items a call.
 * @param options.gatherMs milliseconds between two calls that are not full. Default: 1.
 */
export function createBatcher<Item, Result>(options: {
  send: (items: Item[]) => Promise<(Result | Error)[]>;
  maxSize: number;
  gatherMs?: number;
}): Batcher<Item, Result> {
  const maxUnanswered = options.maxSize * MAX_CALLS_WAITING;
  let waiting: Waiting<Item, Result>[] = [];
  let unanswered = 0;

  const sendBatch = async (batch: Waiting<Item, Result>[]) => {
    try {
      const results = await options.send(batch.map(({ item }) => item));
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} was answered with ${results.length} results`);
      }
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      unanswered -= batch.length;
    }
  };
  const gathering = createGathering(() => {
    const batch = waiting;
    waiting = [];
    void sendBatch(batch);
  }, options.gatherMs);

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (unanswered >= maxUnanswered) {
          reject(new ServiceError("unavailable", `${unanswered} questions wait for an answer already`));
          return;
        }
        unanswered += 1;
        waiting.push({ item, resolve, reject });
        // Node writes what is sent in a turn when it ends, and what is sent then, like the rest, at the next one's end.
        if (waiting.length === options.maxSize) gathering.end();
        else if (waiting.length === 1) gathering.begin();
      }),
  };
}
