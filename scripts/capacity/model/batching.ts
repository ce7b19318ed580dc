/** A server that gets messages at least this often doesn't sleep in between. */
export const WAKE_GAP_MS = 1;

/**
 * Batches per second of a gateway that sends at most one per gap, and a lone item immediately: arrivals are independent
 * (a Poisson process). Each batch is followed by the gap, and, if no item arrived in it, by the wait for the next item.
 * @param perSecond items per second.
 * @param gapMs the gap between two batches.
 */
export function batchesPerSecond(perSecond: number, gapMs: number): number {
  if (perSecond <= 0) return 0;
  const perMs = perSecond / 1_000;
  return 1_000 / (gapMs + Math.exp(-perMs * gapMs) / perMs);
}

/** The gap at which a rate of items results in this many batches; 0 if there are more batches than items. */
export function gapOf(perSecond: number, batches: number): number {
  let [low, high] = [0, 1_000];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (batchesPerSecond(perSecond, middle) > batches) low = middle;
    else high = middle;
  }
  return low;
}
