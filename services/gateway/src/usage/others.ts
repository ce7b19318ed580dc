import type { Month, OthersTotals } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { createBatcher } from "../batcher.ts";
import type { KeyMonth } from "./ledger.ts";

/** How many keys are asked for at a time. */
const BATCH_KEYS = 4_096;

/** What all others counted, as the meter needs it. */
export interface Others {
  /** What they counted for a key that is new in a month. Rejects only when too many keys wait for an answer. */
  first(keyId: string, month: Month): number | Promise<number>;
  /** The key had a request: what others counted for it is worth knowing anew. */
  touch(key: KeyMonth): void;
  close(): Promise<void>;
}

/**
 * Follows what others counted by asking for it: at a key's first request in a month, and again at
 * intervals for the keys that had requests since. Totals never fall. While usage does not answer,
 * the last known ones stand, and a key that is new starts without waiting, at what is known of dead
 * boots; it is asked for again until there is an answer.
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
  let touched: KeyMonth[] = [];

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
  const touch = (key: KeyMonth) => {
    if (key.touched) return;
    key.touched = true;
    touched.push(key);
  };
  const refresh = async () => {
    const keys = touched;
    touched = [];
    for (const key of keys) key.touched = false;
    for (const [{ month }, group] of Map.groupBy(keys, ({ book }) => book))
      for (let start = 0; start < group.length; start += BATCH_KEYS) {
        const some = group.slice(start, start + BATCH_KEYS);
        const answer = await ask(
          month,
          some.map(({ keyId }) => keyId),
        );
        some.forEach((key, index) => {
          if (answer) key.others = Math.max(key.others, answer[index] ?? 0);
          else touch(key);
        });
      }
  };
  const repeating = repeat(options.intervalMs, refresh, log);
  return {
    first: (keyId, month) => (isDown ? known(keyId, month) : batcher.add({ keyId, month })),
    touch,
    async close() {
      await repeating.close();
      totals.close();
    },
  };
}
