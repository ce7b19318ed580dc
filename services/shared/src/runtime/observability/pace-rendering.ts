import { setTimeout as delay } from "node:timers/promises";

/** Each rendering is followed by a pause of nine times its duration, so rendering takes at most a tenth of a core. */
const REST_FACTOR = 9;
const MAX_REST_MS = 1_000;

/**
 * Limits the CPU time of rendering, regardless of the number of requests. Requests that arrive during a rendering or the pause
 * after it share the next rendering, so no response is out of date.
 * @param clock monotonic, in milliseconds.
 */
export function paceRendering<Result>(
  render: () => Promise<Result>,
  clock: () => number = () => performance.now(),
): () => Promise<Result> {
  let next: Promise<Result> | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let restedAtMs = Number.NEGATIVE_INFINITY;

  const renderNext = async (): Promise<Result> => {
    await running;
    const restMs = restedAtMs - clock();
    if (restMs > 0) await delay(restMs);
    next = null;
    const startMs = clock();
    const rendering = render();
    running = rendering.then(
      () => {},
      () => {},
    );
    try {
      return await rendering;
    } finally {
      const endMs = clock();
      restedAtMs = endMs + Math.min(MAX_REST_MS, REST_FACTOR * (endMs - startMs));
    }
  };
  return () => {
    next ??= renderNext();
    return next;
  };
}
