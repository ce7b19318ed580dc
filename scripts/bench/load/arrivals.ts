/**
 * The times at which independent callers come: a Poisson process. They do not wait for one another, so a slow answer
 * does not hold back the next request; whoever measures from these times is not misled by the server's own pauses
 * (coordinated omission).
 * @param options.startMs when it begins.
 * @param options.random from 0 to 1.
 * @returns gives the next time, in milliseconds, at each call.
 */
export function createArrivals(options: { startMs: number; perSecond: number; random: () => number }): () => number {
  const meanGapMs = 1_000 / options.perSecond;
  let nextMs = options.startMs;
  return () => {
    nextMs -= Math.log(1 - options.random()) * meanGapMs;
    return nextMs;
  };
}
