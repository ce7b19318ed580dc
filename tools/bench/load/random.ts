/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The arrival times of independent callers: a Poisson process. A slow response doesn't delay the next request, so latencies
 * measured from these times include the server's pauses (no coordinated omission).
 * @param options.startMs when it starts.
 * @param options.random returns numbers from 0 to 1.
 * @returns a function that returns the next time in milliseconds.
 */
export function createArrivals(options: { startMs: number; perSecond: number; random: () => number }): () => number {
  const meanGapMs = 1_000 / options.perSecond;
  let nextMs = options.startMs;
  return () => {
    nextMs -= Math.log(1 - options.random()) * meanGapMs;
    return nextMs;
  };
}
