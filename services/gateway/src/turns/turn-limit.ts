/**
 * Limits what is done immediately in one turn of the event loop. A turn ends once nothing more has arrived, or after about 49,000
 * requests. If callers that send their next request at once get each response within the turn, it lasts for a second under overload,
 * and meanwhile nothing that other services sent is read.
 * @returns a function that returns null up to `max` times per turn, and otherwise a promise that resolves after the turn.
 */
export function createTurnLimit(max: number): () => Promise<void> | null {
  let taken = 0;
  let ended: Promise<void> | null = null;
  const startTurn = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        taken = 0;
        ended = null;
        resolve();
      });
    });
  return () => {
    ended ??= startTurn();
    taken += 1;
    return taken <= max ? null : ended;
  };
}
