import { seededRandom } from "./random.ts";

/** What is asked of one contestant. */
export interface RequestPlan {
  /** Path and query; a key is put in place of `{key}`. */
  path: string;
  /** Each request has one of them, in turn; none: requests without a key. */
  keys: readonly string[];
}

/**
 * Makes the requests of a plan, each from the next address, with the next key, over and over. Keys are in a random
 * order, the same each time.
 * @param addresses whom each request is from, in X-Forwarded-For.
 * @returns gives the bytes of the next request, as Latin-1 text.
 */
export function createRequests(plan: RequestPlan, addresses: readonly string[]): () => string {
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
  let turn = 0;
  return () => {
    const address = addresses[turn % addresses.length] as string;
    const request = `${heads[turn % heads.length]}${address}\r\n\r\n`;
    turn += 1;
    return request;
  };
}
