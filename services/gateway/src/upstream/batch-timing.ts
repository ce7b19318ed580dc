/**
 * For how many milliseconds what is to be asked gathers after something was asked: docs/decisions/batching-lookups.md.
 * A question costs as much as some requests do besides.
 */
const GATHER_MS = 1;

/** When to send what gathers. */
export interface Gathering {
  /** Something waits, and nothing did before: it is sent when this turn ends, or some time after what was sent last. */
  begin(): void;
  /** What waits is as much as can be sent together: it is sent at once. */
  end(): void;
}

/**
 * @param send sends all that waits.
 * @param gatherMs milliseconds between what is sent and what is sent next, unless that is as much as can be.
 */
export function createGathering(send: () => void, gatherMs = GATHER_MS): Gathering {
  let isWaiting = false;
  /** Runs for so long after something was sent. */
  let rest: NodeJS.Timeout | null = null;

  const end = () => {
    isWaiting = false;
    if (rest) rest.refresh();
    else rest = setTimeout(endRest, gatherMs);
    send();
  };
  const endRest = () => {
    rest = null;
    if (isWaiting) end();
  };
  const endTurn = () => {
    if (isWaiting && !rest) end();
  };
  return {
    begin: () => {
      isWaiting = true;
      setImmediate(endTurn);
    },
    end,
  };
}
