/**
 * A batch is complete with this many members, before the end of the turn. Under overload a turn has thousands of requests,
 * which would all stay in flight until its end, and most further requests would wait or be refused.
 */
export const MAX_BATCH = 256;

/** Requests that wait for the end of one turn of the event loop. */
export interface TurnBatch {
  /** @returns resolves for all members of the batch together, right after `onComplete`. Never rejects. */
  join(): Promise<void>;
  /** Completes the batch now, if it has members. */
  complete(): void;
}

/**
 * Batches what happens in one turn of the event loop.
 * @param onComplete runs once per batch, and mustn't throw.
 */
export function createTurnBatch(onComplete: () => void = () => {}): TurnBatch {
  let batch: PromiseWithResolvers<void> | null = null;
  let members = 0;
  const complete = () => {
    if (batch === null) return;
    const { resolve } = batch;
    batch = null;
    members = 0;
    onComplete();
    resolve();
  };
  return {
    join() {
      if (batch === null) {
        const opened = Promise.withResolvers<void>();
        batch = opened;
        setImmediate(() => {
          if (batch === opened) complete();
        });
      }
      const { promise } = batch;
      members += 1;
      if (members === MAX_BATCH) complete();
      return promise;
    },
    complete,
  };
}
