import type { Month, OthersTotals } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { createBatcher } from "../batcher.ts";
import type { KeyMonth } from "./ledger.ts";

/** How many keys one question is about at most: it has to be answered within its deadline. */
const BATCH_KEYS = 4_096;

/** What all others counted, as the meter needs it. */
export interface Others {
  /** What they counted for a key that is new in a month. Rejects only when too many keys wait for an answer. */
  first(keyId: string, month: Month): number | Promise<number>;
  /**
   * Is called before a key that is not busy is decided on. Gives a promise when what is known of
   * others is not recent: it resolves when it is, or cannot be told. Never rejects.
   */
  use(key: KeyMonth): Promise<void> | undefined;
  close(): Promise<void>;
}

/**
 * Follows what others counted. Time goes in rounds, each begun by a refresh. A key's first request
 * after a round without one waits for an answer. Once its total was told, its next request in the same
 * round makes it busy: the next refresh asks for it, and nobody waits. So while usage answers, a
 * decision rests on a total no older than an interval and the refreshes at both its ends, which ask
 * for all busy keys, some thousands at a time. Totals never fall. While usage does not
 * answer, nobody waits: the last known totals stand, for a key that is new what is known of dead
 * boots, and usage is asked until it answers.
 * @param options.position of the log that an answer should include: what this boot has rescued.
 * @param options.known what the journals of dead boots say that others have at least.
 * @param options.onAsked is told how each question ended.
 */
export function followOthers(options: {
  totals: OthersTotals;
  intervalMs: number;
  position: () => number;
  known: (keyId: string, month: Month) => number;
  onAsked: (outcome: "answered" | "failed") => void;
  log: Logger;
}): Others {
  const { totals, position, known, log } = options;
  let isDown = false;
  let busy: KeyMonth[] = [];
  let round = 0;

  const ask = async (month: Month, keyIds: string[]): Promise<number[] | null> => {
    try {
      const answer = await totals.ask(month, keyIds, position());
      options.onAsked("answered");
      if (isDown) log.info("usage answers again");
      isDown = false;
      return answer;
    } catch (error) {
      options.onAsked("failed");
      if (!isDown)
        log.warn({ err: error }, "usage does not answer; quotas go on from last known totals and own counts");
      isDown = true;
      return null;
    }
  };
  const batcher = createBatcher<{ keyId: string; month: Month }, number>({
    maxSize: BATCH_KEYS,
    async send(keys) {
      const months = Map.groupBy(keys, ({ month }) => month);
      const answers = new Map<string, number>();
      for (const [month, group] of months) {
        const keyIds = group.map(({ keyId }) => keyId);
        const answer = await ask(month, keyIds);
        keyIds.forEach((keyId, index) => {
          answers.set(`${month} ${keyId}`, Math.max(answer?.[index] ?? 0, known(keyId, month)));
        });
      }
      return keys.map(({ keyId, month }) => answers.get(`${month} ${keyId}`) ?? 0);
    },
  });
  const makeBusy = (key: KeyMonth) => {
    if (key.isBusy) return;
    key.isBusy = true;
    busy.push(key);
  };
  const learn = (key: KeyMonth, total: number) => {
    key.others = Math.max(key.others, total);
    key.othersRound = round;
  };
  const askFor = async (key: KeyMonth) => {
    try {
      learn(key, await batcher.add({ keyId: key.keyId, month: key.book.month }));
    } catch {
      // Too many wait already: this one goes on from what it knows, and is asked for later.
      makeBusy(key);
    }
    if (isDown) makeBusy(key);
    key.asking = null;
  };
  const refresh = async () => {
    round += 1;
    const months = Map.groupBy(busy, ({ book }) => book.month);
    let hasFailed = false;
    busy = [];
    for (const [month, keys] of months)
      for (let start = 0; start < keys.length; start += BATCH_KEYS) {
        const some = keys.slice(start, start + BATCH_KEYS);
        const keyIds = some.map(({ keyId }) => keyId);
        // Once it fails, the rest would only wait for nothing.
        const answer = hasFailed ? null : await ask(month, keyIds);
        if (!answer) {
          hasFailed = true;
          busy.push(...some);
          continue;
        }
        some.forEach((key, index) => {
          learn(key, answer[index] ?? 0);
          key.isBusy = false;
        });
      }
  };
  const repeating = repeat(options.intervalMs, refresh, log);
  return {
    first: (keyId, month) => (isDown ? known(keyId, month) : batcher.add({ keyId, month })),
    use(key) {
      if (key.asking) return key.asking;
      key.othersRound ??= round;
      if (isDown || key.othersRound === round) {
        makeBusy(key);
        return undefined;
      }
      key.asking = askFor(key);
      return key.asking;
    },
    async close() {
      await repeating.close();
      totals.close();
    },
  };
}
