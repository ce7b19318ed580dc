/** Resolves a target to the `address:port` of every node behind it. */
export type Resolve = (target: string) => Promise<string[]>;

/**
 * Adds a deadline. Each target is only resolved once at a time, because the system resolver can't be canceled and has
 * few threads.
 * @returns a function that also throws Error when there is no response within `timeoutMs`.
 */
export function resolveWithin({ resolve, timeoutMs }: { resolve: Resolve; timeoutMs: number }): Resolve {
  const pending = new Map<string, Promise<string[]>>();
  return async (target) => {
    const resolving = pending.get(target) ?? resolve(target).finally(() => pending.delete(target));
    pending.set(target, resolving);
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      const message = `${target} can't be resolved: no DNS response within ${timeoutMs} ms`;
      timer = setTimeout(() => reject(new Error(message)), timeoutMs);
    });
    try {
      return await Promise.race([resolving, expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}
