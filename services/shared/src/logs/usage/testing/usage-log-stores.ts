import { pino } from "pino";
import { Registry } from "prom-client";
import { tempFolder } from "../../../../../../test/harness/temp-folder.ts";
import type { Clock } from "../../../domain/clock.ts";
import type { MonthLog, UsageLog } from "../../../domain/usage.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { openFileUsageLogReader } from "../file/reader.ts";
import { openFileUsageLog } from "../file/usage-log.ts";
import { openJetStreamUsageLog } from "../jetstream/usage-log.ts";
import type { UsageLogStore } from "../usage-log.suite.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const quiet = pino({ level: "silent" });

/** A usage log in a new folder. */
export function fileUsageStore(options: { clock: Clock; compactAtBytes?: number }): UsageLogStore {
  const folder = tempFolder();
  const opened: AsyncDisposable[] = [];
  const keep = <Opened extends AsyncDisposable>(each: Opened) => {
    opened.push(each);
    return each;
  };
  return {
    open: async () => keep(await openFileUsageLog({ ...options, folder, log: quiet })),
    openSource: async () => keep(openFileUsageLogReader({ folder, log: quiet, pollIntervalMs: 10 })),
    async dispose() {
      for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
    },
  };
}

/** Logs opened in tests, each with its own link, like separate processes. */
export function openNatsUsageLogs(url: () => string) {
  const opened: { log: UsageLog; nats: NatsLink }[] = [];
  const open = async (log = quiet, registry = new Registry()) => {
    const nats = openNats({ url: url(), name: "test", log: quiet });
    await nats.connected();
    const usageLog: UsageLog & MonthLog = openJetStreamUsageLog({ nats, replicas: 1, log, registry });
    opened.push({ log: usageLog, nats });
    return { usageLog, nats };
  };
  return {
    open,
    async closeAll() {
      for (const { log, nats } of opened.splice(0)) {
        await log[Symbol.asyncDispose]();
        await nats[Symbol.asyncDispose]();
      }
    },
    async removeStreams() {
      const { nats } = await open();
      const connection = await nats.connected();
      const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
      const { streams } = await connection.raw.jetstreamManager();
      for (const name of ["USAGE", "USAGE_MONTHS"])
        if (await jetStream.findStream(name)) {
          // Purged first: since 2.10, a stream created right after its namesake was deleted may have its messages.
          await streams.purge(name);
          await streams.delete(name);
        }
    },
  };
}
