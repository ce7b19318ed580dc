/** How far a log has been read, for requests that need at least a given position. */
export interface Position {
  current(): number;
  /** Reports that the log has been read up to here. */
  reach(position: number): void;
  /** Resolves once a position is reached, or after `timeoutMs`. */
  reached(position: number, timeoutMs: number): Promise<void>;
}

export function createPosition(): Position {
  let current = 0;
  const waiting = new Set<{ position: number; resolve: () => void }>();
  return {
    current: () => current,
    reach(position) {
      current = position;
      for (const waiter of waiting) if (waiter.position <= position) waiter.resolve();
    },
    reached(position, timeoutMs) {
      if (position <= current) return Promise.resolve();
      return new Promise((resolve) => {
        const waiter = {
          position,
          resolve() {
            clearTimeout(timer);
            waiting.delete(waiter);
            resolve();
          },
        };
        const timer = setTimeout(waiter.resolve, timeoutMs);
        waiting.add(waiter);
      });
    },
  };
}
