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
