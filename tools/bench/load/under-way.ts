/** Counts requests that are in flight. */
export interface UnderWay {
  readonly count: number;
  begin(): void;
  end(): void;
  /**
   * Call this when no more requests are started, except in reaction to responses.
   * @returns resolves when no request is in flight, or after the timeout.
   */
  drained(timeoutMs: number): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let count = 0;
  let onNone = () => {};
  return {
    get count() {
      return count;
    },
    begin: () => {
      count += 1;
    },
    end: () => {
      count -= 1;
      if (count === 0) onNone();
    },
    drained: (timeoutMs) => {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs);
        onNone = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
    },
  };
}
