/** How far a log is followed, for who must not be behind it. */
export interface Position {
  current(): number;
  /** The log is followed up to here. */
  reach(position: number): void;
  /** Resolves once a position is reached, or `timeoutMs` are over. */
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
