import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Month, PeerUsageClient } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { createBatcher } from "../upstream/batcher.ts";
import type { KeyMonth } from "./key-month.ts";
import { createQuestions } from "./peer-queries.ts";
import { type Others, type Told, UNTOLD } from "./peer-usage.ts";
import { createToldNodes } from "./reporting-nodes.ts";

/** How many keys one question is about at most: usage refuses more. */
const BATCH_KEYS = 1_024;

/** How many answers a refresh hears at most; what is left is heard in the next. */
const MOST_ANSWERS = 32;

/**
 * How often a refresh asks again for totals that a node told which was behind. With the question for changes these are
 * three: two nodes that are asked in turn then take turns at every question, and the one that is up to date tells all.
 */
const ASKED_AGAIN = 2;

/**
 * Follows what others counted. A key's first request in a month waits for its total. From then on each refresh asks
 * what has changed, whichever usage node answers, so that nobody waits, and what nobody else uses costs nothing.
 * When a node cannot tell what changed since it was last asked (it has started anew), an era ends: totals that were
 * told in it may be old, and each key waits once more, at its next request. Totals never fall. While usage does not
 * answer, nobody waits: the last known totals stand, for a key that is new what is known of dead boots.
 *
 * Usage nodes read the log each at its own pace. A total from a node that is behind one that has told changes may
 * lack some of those, so it is asked for again at the next refresh.
 * @param options.find the key of a month, if it is in the ledger.
 * @param options.position of the log that an answer should include: what this boot has rescued.
 * @param options.known what the journals of dead boots say that others have at least.
 * @param options.onAsked is told how each question ended.
 * @param options.clock monotonic.
 */
export function followOthers(options: {
  totals: PeerUsageClient;
  intervalMs: number;
  find: (keyId: string, month: Month) => KeyMonth | undefined;
  position: () => number;
  known: (keyId: string, month: Month) => number;
  onAsked: (outcome: "answered" | "failed") => void;
  log: Logger;
  clock?: Clock;
}): Others {
  const { totals, find, known, log, clock = () => performance.now() } = options;
  const questions = createQuestions(options);
  const nodes = createToldNodes(clock);
  let era = 0;
  /** Told by a node that was behind. */
  const behind = new Set<KeyMonth>();

  const ask = async (month: Month, keyIds: string[]): Promise<Told[] | null> => {
    const askedIn = era;
    const answer = await questions.totals(month, keyIds, Math.max(options.position(), nodes.position()));
    if (!answer) return null;
    return answer.totals.map((total) => ({ total, era: askedIn, position: answer.position }));
  };
  const batcher = createBatcher<{ keyId: string; month: Month }, Told>({
    maxSize: BATCH_KEYS,
    async send(keys) {
      const results = new Map<(typeof keys)[number], Told>();
      for (const [month, group] of Map.groupBy(keys, (key) => key.month)) {
        const keyIds = group.map(({ keyId }) => keyId);
        const told = await ask(month, keyIds);
        group.forEach((key, index) => {
          const { total, ...rest } = told?.[index] ?? { total: 0, era: UNTOLD, position: 0 };
          results.set(key, { ...rest, total: Math.max(total, known(key.keyId, month)) });
        });
      }
      return keys.map((key) => results.get(key) as Told);
    },
  });
  const learn = (key: KeyMonth, { total, era: askedIn, position }: Told) => {
    key.others = Math.max(key.others, total);
    if (askedIn === UNTOLD) return;
    key.othersEra = Math.max(key.othersEra, askedIn);
    if (position < nodes.position()) behind.add(key);
  };
  const askFor = async (key: KeyMonth) => {
    try {
      learn(key, await batcher.add({ keyId: key.keyId, month: key.book.month }));
    } catch {
      // Too many wait already: this one goes on from what it knows, and is asked for at its next request.
    }
    key.asking = null;
  };

  const hearChanges = async () => {
    for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
      const changes = await questions.changes(nodes.versions());
      if (changes === undefined) return;
      if (!changes?.isComplete) era += 1;
      if (!changes) return;
      for (const { month, keyIds, totals } of changes.months)
        keyIds.forEach((keyId, index) => {
          const key = find(keyId, month);
          if (key) key.others = Math.max(key.others, totals[index] ?? 0);
        });
      nodes.hear(changes);
      if (!changes.hasMore) return;
    }
  };
  const askAgain = async () => {
    const [first] = behind;
    // While usage is down, each question would only be waited for in vain.
    if (!first || questions.isDown()) return;
    const { month } = first.book;
    const some = [...behind].filter(({ book }) => book.month === month).slice(0, BATCH_KEYS);
    for (const key of some) behind.delete(key);
    const keyIds = some.map(({ keyId }) => keyId);
    const told = await ask(month, keyIds);
    some.forEach((key, index) => {
      const each = told?.[index];
      if (each) learn(key, each);
      else behind.add(key);
    });
  };
  const refresh = async () => {
    await hearChanges();
    for (let times = 0; times < ASKED_AGAIN; times += 1) await askAgain();
  };
  const repeating = repeat(options.intervalMs, refresh, log);
  return {
    first: (keyId, month) =>
      questions.isDown() ? { total: known(keyId, month), era: UNTOLD, position: 0 } : batcher.add({ keyId, month }),
    learn,
    use(key) {
      if (key.othersEra === era || questions.isDown()) return undefined;
      key.asking ??= askFor(key);
      return key.asking;
    },
    async close() {
      await repeating.close();
      totals.close();
    },
  };
}
