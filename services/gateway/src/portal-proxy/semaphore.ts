/** A request that needs a permit. Exactly one of the two callbacks is called, unless it is released first. */
export interface Holder {
  /** Whether it waits behind all others, and is refused first if too many wait. */
  readonly yields: boolean;
  onAcquired(): void;
  onRefused(): void;
}

/** A fixed number of permits, with a bounded queue. */
export interface Semaphore {
  readonly limit: number;
  inUse(): number;
  /** Acquires a permit now or when one is free. Refused if too many are waiting. */
  acquire(holder: Holder): void;
  /** Releases the permit, or stops waiting for one. Otherwise without effect. */
  release(holder: Holder): void;
}

export function createSemaphore({ limit, maxWaiting }: { limit: number; maxWaiting: number }): Semaphore {
  const holders = new Set<Holder>();
  const waiting = new Set<Holder>();
  const yielding = new Set<Holder>();

  const queueOf = (holder: Holder) => (holder.yields ? yielding : waiting);
  const grant = (holder: Holder) => {
    holders.add(holder);
    holder.onAcquired();
  };
  return {
    limit,
    inUse: () => holders.size,
    acquire(holder) {
      if (holders.size < limit) return grant(holder);
      if (waiting.size + yielding.size >= maxWaiting) {
        const [oldest] = yielding;
        if (holder.yields || !oldest) return holder.onRefused();
        yielding.delete(oldest);
        oldest.onRefused();
      }
      queueOf(holder).add(holder);
    },
    release(holder) {
      if (!holders.delete(holder)) {
        queueOf(holder).delete(holder);
        return;
      }
      const [next] = waiting.size > 0 ? waiting : yielding;
      if (!next) return;
      queueOf(next).delete(next);
      grant(next);
    },
  };
}
