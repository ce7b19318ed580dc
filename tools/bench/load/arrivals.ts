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
