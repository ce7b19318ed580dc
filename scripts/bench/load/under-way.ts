/** Requests that were sent and not yet answered. */
export interface UnderWay {
  readonly count: number;
  begin(): void;
  end(): void;
  /**
   * To be called once nothing more begins but what an answer brings about: while more may be sent, that nothing is
   * under way says nothing.
   * @returns resolves when nothing is under way any more, or the time is over.
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
