import { jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { tempFolder } from "../../../../../../test/harness/temp-folder.ts";
import type { Clock } from "../../../domain/clock.ts";
import { openNats } from "../../../runtime/nats/connection.ts";
import { setUpStreams } from "../../set-up-streams.ts";
import { openFileUsageLogReader } from "../file/reader.ts";
import { openFileUsageLog } from "../file/usage-log.ts";
import { openJetStreamUsageLog } from "../jetstream/usage-log.ts";
import type { UsageLogStore } from "../usage-log.suite.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const quiet = pino({ level: "silent" });

/** A usage log in a new folder. */
export function fileUsageStore(options: { clock: Clock; compactAtBytes?: number }): UsageLogStore {
  const folder = tempFolder();
  const opened = new AsyncDisposableStack();
  return {
    open: async () => opened.use(await openFileUsageLog({ ...options, folder, log: quiet })),
    openSource: async () => opened.use(openFileUsageLogReader({ folder, log: quiet, pollIntervalMs: 10 })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Logs opened in tests, each with its own link, like separate processes. */
export function openNatsUsageLogs(url: () => string) {
  let opened = new AsyncDisposableStack();
  const open = async (log = quiet, registry = new Registry()) => {
    const nats = opened.use(openNats({ url: url(), name: "test", log: quiet }));
    await nats.connected();
    const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas: 1, log, registry }));
    return { usageLog, nats };
  };
  return {
    open,
    async closeAll() {
      await opened.disposeAsync();
      opened = new AsyncDisposableStack();
    },
    async removeStreams() {
      const { nats } = await open();
      const connection = await nats.connected();
      const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
      const { streams } = await jetstreamManager(connection.raw);
      for (const name of ["USAGE", "USAGE_MONTHS"])
        if (await jetStream.findStream(name)) {
          // Purged first: since 2.10, a stream created right after one with the same name was deleted may have its messages.
          await streams.purge(name);
          await streams.delete(name);
        }
      await setUpStreams(jetStream, { replicas: 1 });
    },
  };
}
