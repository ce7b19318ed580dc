import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { ErrorCode } from "@geolookup/shared/domain/errors.ts";
import { createCalendar } from "@geolookup/shared/domain/period.ts";
import type { RefusalLog, UsageSubject } from "@geolookup/shared/domain/usage.ts";
import { refusalName, shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { openMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { Registry } from "@prometheus-io/client";

const PUBLISH_INTERVAL_MS = 1_000;
/** How long closing waits for the usage log. The counts of requests, which are closed before, need the rest of the time. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Pairs of a key and a code that are held at once, about 10 MB. Refusals of further ones aren't counted. */
const MAX_PAIRS = 100_000;
/** As many as counts of usage. Otherwise, a few refusals in each shard would have all pairs published every second. */
const MAX_PAIRS_PER_PUBLISH = 20_000;

/** Counts refused requests of keys, for statistics: nothing is billed by them. */
export interface Refusals extends AsyncDisposable {
  count(keyId: string, code: ErrorCode): void;
}

/**
 * Publishes refused requests to the usage log every second. Counts are cumulative, so none is added twice. Those of the last second
 * are lost if the process is killed. Failures are logged and retried, and never concern a request.
 */
export function startRefusals(options: {
  refusalLog: RefusalLog;
  clock: Clock;
  log: Logger;
  intervalMs?: number;
  maxPairs?: number;
  maxPairsPerPublish?: number;
}): Refusals {
  const { refusalLog, clock, log, maxPairs = MAX_PAIRS, maxPairsPerPublish = MAX_PAIRS_PER_PUBLISH } = options;
  const calendar = createCalendar(clock);
  const instanceId = randomBytes(8).toString("hex");
  /** By day and shard. */
  const subjects = new Map<string, { subject: UsageSubject; counts: Map<string, number>; isChanged: boolean }>();
  let pairs = 0;

  const publish = async (most: number) => {
    let published = 0;
    try {
      for (const [name, each] of [...subjects]) {
        if (each.isChanged && published < most) {
          published += each.counts.size;
          each.isChanged = false;
          // Next time, the others are first, also if this one can't be published.
          subjects.delete(name);
          subjects.set(name, each);
          await refusalLog.publishRefusals(each.subject, each.counts).catch((error: unknown) => {
            each.isChanged = true;
            throw error;
          });
        }
        if (each.isChanged || each.subject.day === calendar().day) continue;
        subjects.delete(name);
        pairs -= each.counts.size;
      }
    } catch (error) {
      budgeted(log).error({ err: error }, "refusals not published; retrying");
    }
  };
  const publishing = repeat(options.intervalMs ?? PUBLISH_INTERVAL_MS, () => publish(maxPairsPerPublish), log);
  return {
    count(keyId, code) {
      const { day } = calendar();
      const counted = refusalName(keyId, code);
      const shard = shardOf(counted);
      const name = `${day} ${shard}`;
      const found = subjects.get(name) ?? { counts: new Map(), subject: { day, instanceId, shard }, isChanged: true };
      const count = found.counts.get(counted) ?? 0;
      if (count === 0 && pairs >= maxPairs) return;
      if (count === 0) pairs += 1;
      found.counts.set(counted, count + 1);
      found.isChanged = true;
      subjects.set(name, found);
    },
    async [Symbol.asyncDispose]() {
      const published = publishing[Symbol.asyncDispose]().then(() => publish(Number.POSITIVE_INFINITY));
      await Promise.race([published, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Opens the log of refusals in files as its only writer. */
export async function openFileRefusalLog(
  dataDir: string,
  context: { opened: AsyncDisposableStack; clock: Clock; log: Logger; registry: Registry },
) {
  const { opened, clock, log, registry } = context;
  const refusalLog = opened.use(await openFileUsageLog({ folder: join(dataDir, "refusal-log"), clock, log, registry }));
  opened.use(await openMonthRecorder(refusalLog, { clock, log }));
  const publishRefusals: RefusalLog["publishRefusals"] = (subject, counts) => refusalLog.publish(subject, counts);
  return { follow: refusalLog.follow.bind(refusalLog), publishRefusals };
}
