import { ServiceError } from "@geolookup/shared/domain/service-error.ts";

/** After how long all are asked again when every one of them has failed. */
const ASK_AGAIN_AFTER_MS = 20;

/** Who can be asked, and how. */
export interface Candidates<Node, Answer> {
  /**
   * The node to ask next, or undefined when there is none.
   * @param tried nodes not to choose: they were just asked.
   * @param why `slow`: those asked are late, which is worth another question only to a node that is known to answer.
   */
  next(tried: ReadonlySet<Node>, why: "first" | "failed" | "slow"): Node | undefined;
  /**
   * Asks a node and calls `done` once, later than it returns. Returns a function that gives the answer up.
   * @param timeoutMs how long the answer is of use.
   */
  ask(node: Node, timeoutMs: number, done: (error: Error | null, answer?: Answer) => void): () => void;
  /** A node left its question unanswered for the time after which another is asked. */
  late(node: Node): void;
}

/**
 * Asks nodes until one answers: the first at once, another as soon as one fails, and one more
 * whenever those asked stay silent for `hedgeAfterMs`. The first answer wins, and the others
 * are given up. When every node was unavailable they are asked again until the time is up, so that one
 * that is just coming back still answers.
 * @param times.timeoutMs for everything together.
 * @throws the last failure, or what `noAnswer` makes when nobody said anything in time.
 */
export function askFirst<Node, Answer>(
  candidates: Candidates<Node, Answer>,
  times: { timeoutMs: number; hedgeAfterMs: number },
  noAnswer: () => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const endsAtMs = performance.now() + times.timeoutMs;
    const tried = new Set<Node>();
    const asked = new Map<Node, () => void>();
    let lastError: Error | undefined;
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    let settled = false;

    const sleepOn = () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
    const settle = () => {
      settled = true;
      sleepOn();
      for (const end of asked.values()) end();
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const wakeAfter = (delayMs: number) => {
      sleepOn();
      timer = setTimeout(
        () => {
          // After the sockets were read: a process that stalled must not take the answers it holds for silence.
          immediate = setImmediate(wake);
        },
        Math.max(0, Math.min(delayMs, endsAtMs - performance.now())),
      );
    };
    const askNext = (why: "first" | "failed" | "slow"): boolean => {
      const node = candidates.next(tried, why);
      if (node === undefined) return false;
      tried.add(node);
      const end = candidates.ask(node, endsAtMs - performance.now(), (error, answer) => {
        if (settled) return;
        asked.delete(node);
        if (error === null) {
          settle();
          resolve(answer as Answer);
          return;
        }
        lastError = error;
        if (performance.now() < endsAtMs && askNext("failed")) return;
        if (asked.size > 0) return;
        if (mayPass(error)) wakeAfter(ASK_AGAIN_AFTER_MS);
        else fail(error);
      });
      asked.set(node, end);
      wakeAfter(times.hedgeAfterMs);
      return true;
    };
    const wake = () => {
      for (const node of asked.keys()) candidates.late(node);
      if (performance.now() >= endsAtMs) {
        fail(lastError ?? noAnswer());
        return;
      }
      // Those that failed may be asked again: a node that was just restarted answers by now.
      tried.clear();
      for (const node of asked.keys()) tried.add(node);
      if (!askNext(asked.size === 0 ? "failed" : "slow"))
        wakeAfter(asked.size === 0 ? ASK_AGAIN_AFTER_MS : times.hedgeAfterMs);
    };
    if (!askNext("first")) wakeAfter(ASK_AGAIN_AFTER_MS);
  });
}

/** Whether a failure says that the node could not be asked, not what it made of the question. */
function mayPass(error: Error): boolean {
  return error instanceof ServiceError && error.code === "unavailable";
}
