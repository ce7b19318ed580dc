export type LookUp = (target: string) => Promise<string[]>;

/**
 * Looks names up with a deadline, each name once at a time: the system's resolver cannot be told to stop, and its
 * threads are few.
 * @param options.lookUp gives `address:port` of every node behind a target.
 * @returns the same; it throws Error, too, when there is no answer within `timeoutMs`.
 */
export function lookUpWithin({ lookUp, timeoutMs }: { lookUp: LookUp; timeoutMs: number }): LookUp {
  const pending = new Map<string, Promise<string[]>>();
  return async (target) => {
    const asked = pending.get(target) ?? lookUp(target).finally(() => pending.delete(target));
    pending.set(target, asked);
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      const message = `${target} cannot be looked up: no answer of DNS within ${timeoutMs} ms`;
      timer = setTimeout(() => reject(new Error(message)), timeoutMs);
    });
    try {
      return await Promise.race([asked, expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}
