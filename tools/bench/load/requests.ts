import { seededRandom } from "./random.ts";

/** The requests for one contestant. */
export interface RequestPlan {
  /** Path and query, with `{key}` as the placeholder for a key. */
  path: string;
  /** Used in turn. Empty: requests without a key. */
  keys: readonly string[];
}

/**
 * Creates the requests of a plan: first one from each address, in a random order, then each from a random one. Keys are used in
 * a loop, in a random order, the same in every run. If addresses were in a loop, too, a contestant would look up what another one
 * of the same process has just looked up, and its lookups would be cheaper than those of a contestant with a process of its own.
 * @param addresses the callers' addresses, sent in X-Forwarded-For.
 * @param seed decides which addresses; different for each contestant.
 * @returns a function that returns the next request as Latin-1 text.
 */
export function createRequests(plan: RequestPlan, addresses: readonly string[], seed = 1): () => string {
  const [before = "", after] = plan.path.split("{key}");
  const head = (target: string) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: `;
  const random = seededRandom(1);
  const heads =
    after === undefined
      ? [head(before)]
      : plan.keys
          .map((key) => ({ key, order: random() }))
          .sort((a, b) => a.order - b.order)
          .map(({ key }) => head(`${before}${key}${after}`));
  if (heads.length === 0) throw new Error(`${plan.path} needs keys`);
  const pick = seededRandom(seed);
  const first = shuffled(addresses, pick);
  let turn = 0;
  return () => {
    const address = first[turn < first.length ? turn : Math.floor(pick() * first.length)] as string;
    const request = `${heads[turn % heads.length]}${address}\r\n\r\n`;
    turn += 1;
    return request;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as Item, order[at] as Item];
  }
  return order;
}
