import { ServiceError } from "@geolookup/shared/domain/service-error.ts";

/** The delay before all nodes are called again after all of them have failed. */
const RETRY_DELAY_MS = 20;

/** The nodes that can be called. */
export interface Candidates<Node, Response> {
  /**
   * The node to call next; undefined if there is none.
   * @param tried nodes to leave out.
   * @param why `slow`: a call is late, so that only a node known to respond is worth another call. `behind`: a response was behind, so
   *   that only a node that may know more is.
   */
  next(tried: ReadonlySet<Node>, why: Why): Node | undefined;
  /**
   * Calls a node, and calls `done` once, asynchronously.
   * @param timeoutMs how long the response is useful.
   * @returns a function that cancels the call.
   */
  call(node: Node, timeoutMs: number, done: (error: Error | null, response?: Response) => void): () => void;
  /** A node hasn't responded in `hedgeAfterMs`. */
  late(node: Node): void;
  /** Whether a response shows that its node is behind others. It is used only if no node that `mayKnowMore` responds. */
  isBehind(node: Node, response: Response): boolean;
  mayKnowMore(node: Node): boolean;
}

/** Why a node is called. */
export type Why = "first" | "failed" | "slow" | "behind";

/**
 * Calls nodes until one responds: another one immediately if a call fails, and one more whenever calls are late. The first
 * response that isn't behind is used, and other calls are canceled. If every node was unavailable, they are called again until the timeout, so
 * that a restarting node can still respond.
 * @param times.timeoutMs for all calls together.
 * @param times.hedgeAfterMs when a call is late.
 * @throws the last failure, or the error of `noResponse` if no node responds in time.
 */
export function callFirst<Node, Response>(
  candidates: Candidates<Node, Response>,
  times: { timeoutMs: number; hedgeAfterMs: number },
  noResponse: () => Error,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const endsAtMs = performance.now() + times.timeoutMs;
    const tried = new Set<Node>();
    const inFlight = new Map<Node, () => void>();
    let lastError: Error | undefined;
    /** A response that is behind. */
    let fallback: { response: Response } | undefined;
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    let settled = false;

    const clearTimers = () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
    const settle = () => {
      settled = true;
      clearTimers();
      for (const cancel of inFlight.values()) cancel();
    };
    const fail = (error: Error) => {
      settle();
      if (fallback) resolve(fallback.response);
      else reject(error);
    };
    const wakeAfter = (delayMs: number) => {
      clearTimers();
      timer = setTimeout(
        () => {
          // After reading sockets, so that responses that arrived while this process was blocked count.
          immediate = setImmediate(wake);
        },
        Math.max(0, Math.min(delayMs, endsAtMs - performance.now())),
      );
    };
    const callNext = (why: Why): boolean => {
      const node = candidates.next(tried, fallback ? "behind" : why);
      if (node === undefined) return false;
      tried.add(node);
      const cancel = candidates.call(node, endsAtMs - performance.now(), (error, response) => {
        if (settled) return;
        inFlight.delete(node);
        if (error === null) {
          if (!candidates.isBehind(node, response as Response)) {
            settle();
            resolve(response as Response);
            return;
          }
          fallback = { response: response as Response };
        } else lastError = error;
        if (performance.now() < endsAtMs && callNext("failed")) return;
        const awaited = [...inFlight.keys()];
        if (fallback ? awaited.some(candidates.mayKnowMore) : awaited.length > 0) return;
        if (error !== null && !fallback && isTransient(error)) wakeAfter(RETRY_DELAY_MS);
        else fail(error ?? noResponse());
      });
      inFlight.set(node, cancel);
      wakeAfter(times.hedgeAfterMs);
      return true;
    };
    const wake = () => {
      for (const node of inFlight.keys()) candidates.late(node);
      if (performance.now() >= endsAtMs) {
        fail(lastError ?? noResponse());
        return;
      }
      // Failed nodes may be called again: they may have restarted.
      tried.clear();
      for (const node of inFlight.keys()) tried.add(node);
      if (!callNext(inFlight.size === 0 ? "failed" : "slow"))
        wakeAfter(inFlight.size === 0 ? RETRY_DELAY_MS : times.hedgeAfterMs);
    };
    if (!callNext("first")) wakeAfter(RETRY_DELAY_MS);
  });
}

/** Whether the node was unavailable, rather than refusing the request. */
function isTransient(error: Error): boolean {
  return error instanceof ServiceError && error.code === "unavailable";
}
