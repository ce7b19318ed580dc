/** A request that needs a place. Exactly one of the two callbacks is called, unless the visit leaves first. */
export interface Visit {
  /** Whether it waits behind all others, and is the first to be refused when too many wait. */
  readonly yields: boolean;
  onAdmitted(): void;
  onRefused(): void;
}

/** A fixed number of places with a bounded queue. */
export interface Places {
  readonly limit: number;
  inUse(): number;
  /** Admits a visit now or when a place is free, or refuses it when too many wait. */
  enter(visit: Visit): void;
  /** Gives up the visit's place, or its wait for one. A visit that has neither is ignored. */
  leave(visit: Visit): void;
}

export function createPlaces({ limit, maxWaiting }: { limit: number; maxWaiting: number }): Places {
  const admitted = new Set<Visit>();
  const waiting = new Set<Visit>();
  const yielding = new Set<Visit>();

  const lineOf = (visit: Visit) => (visit.yields ? yielding : waiting);
  const admit = (visit: Visit) => {
    admitted.add(visit);
    visit.onAdmitted();
  };
  return {
    limit,
    inUse: () => admitted.size,
    enter(visit) {
      if (admitted.size < limit) return admit(visit);
      if (waiting.size + yielding.size >= maxWaiting) {
        const [oldest] = yielding;
        if (visit.yields || !oldest) return visit.onRefused();
        yielding.delete(oldest);
        oldest.onRefused();
      }
      lineOf(visit).add(visit);
    },
    leave(visit) {
      if (!admitted.delete(visit)) {
        lineOf(visit).delete(visit);
        return;
      }
      const [next] = waiting.size > 0 ? waiting : yielding;
      if (!next) return;
      lineOf(next).delete(next);
      admit(next);
    },
  };
}
