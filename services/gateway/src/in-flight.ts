import type { Exchange } from "./exchange.ts";

/** The exchanges whose answers have not left. */
export interface InFlight {
  size(): number;
  add(exchange: Exchange): void;
  /** @param exchange one that was added. */
  delete(exchange: Exchange): void;
  all(): readonly Exchange[];
}

/**
 * An array in which each exchange knows its place, and not a `Set`. Whenever enough was added to a `Set` and deleted V8
 * makes it a new table, and the old one keeps what it held and points to the new one. From the first of them that has
 * come to the space for old objects, the chain of all these tables, and with them most requests, are left by the quick
 * collections of new objects until one of everything comes: docs/performance.md, "Half load".
 */
export function createInFlight(): InFlight {
  const exchanges: Exchange[] = [];
  return {
    size: () => exchanges.length,
    add: (exchange) => {
      exchange.place = exchanges.length;
      exchanges.push(exchange);
    },
    delete: (exchange) => {
      const last = exchanges.pop() as Exchange;
      if (last === exchange) return;
      exchanges[exchange.place] = last;
      last.place = exchange.place;
    },
    all: () => exchanges,
  };
}
