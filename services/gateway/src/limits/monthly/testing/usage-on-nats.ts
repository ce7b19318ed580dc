import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { Registry } from "@prometheus-io/client";
import { startService } from "../../../../../../test/harness/service.ts";
import { type Meter, type MeterOptions, openMeter } from "../meter.ts";
import { connectUsage } from "../peer-queries.ts";
import { quiet } from "./usage-folders.ts";

/** Starts the usage service as a process on a NATS server; resolves when it is ready. */
export async function startUsageService(natsUrl: string, port = 0) {
  const usage = startService("usage", {
    ADMIN_TOKEN: "an-admin-token-for-tests",
    NATS_URL: natsUrl,
    PORT: `${port}`,
  });
  const ready = await usage.ready();
  return { ...usage, port: ready.port, target: `127.0.0.1:${ready.port}` };
}

/** A meter as in the cluster: its log on NATS, peer usage from the usage service. */
export async function openClusterMeter(options: {
  natsUrl: string;
  usageTarget: string;
  clock: MeterOptions["clock"];
  /** The folder of its journals. */
  journals: string;
  flushIntervalMs?: number;
  refreshIntervalMs?: number;
  rotateJournalAtBytes?: number;
}): Promise<Meter> {
  const { natsUrl, usageTarget, clock, journals, ...rest } = options;
  const registry = new Registry();
  await using opened = new AsyncDisposableStack();
  const nats = opened.use(openNats({ url: natsUrl, name: "test", log: quiet }));
  const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas: 1, log: quiet, registry }));
  const { admit } = opened.use(
    await openMeter({
      folder: journals,
      usageLog,
      clock,
      log: quiet,
      registry,
      connectPeers: (instanceId) => connectUsage({ target: usageTarget, instanceId }),
      ...rest,
    }),
  );
  const held = opened.move();
  return { admit, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
