import { jetstreamManager } from "@nats-io/jetstream";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { fileUsageStore, openNatsUsageLogs } from "./testing/usage-log-stores.ts";
import { usageMonthsSuite } from "./usage-months.suite.ts";

// A file drops days when it is opened, or immediately if it is constantly compacted.
for (const [what, compactAtBytes] of [
  ["a file", 4 << 20],
  ["a constantly compacted file", 1],
] as const)
  usageMonthsSuite(what, async (clock) => ({
    ...fileUsageStore({ clock, compactAtBytes }),
    openReplica: async (log) => log,
    age: async () => {},
  }));

describe("months on JetStream", () => {
  let server: NatsServer;
  const logs = openNatsUsageLogs(() => server.url);
  before(async () => {
    server = await startNatsServer();
  });
  after(() => server.kill());

  usageMonthsSuite("JetStream", async () => ({
    open: async () => (await logs.open()).usageLog,
    openSource: async () => (await logs.open()).usageLog,
    openReplica: async () => (await logs.open()).usageLog,
    /** The stream deletes messages by age; here they are purged. */
    async age(month) {
      const { nats } = await logs.open();
      const manager = await jetstreamManager((await nats.connected()).raw);
      for (let day = 1; day <= 31; day++)
        await manager.streams.purge("USAGE", {
          filter: `usage.${month.replace("-", "")}${String(day).padStart(2, "0")}.*.*`,
        });
    },
    async [Symbol.asyncDispose]() {
      await logs.removeStreams();
      await logs.closeAll();
    },
  }));
});
