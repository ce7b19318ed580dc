import { join } from "node:path";
import type { Authorizer } from "@geolookup/shared/domain/authorize.ts";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { openJetStreamKeyFeed } from "@geolookup/shared/logs/keys/jetstream/feed.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { openMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "prom-client";
import { openAuthorizationCache } from "./authorization/authorization-cache.ts";
import type { GatewayConfig, GatewayStores } from "./config.ts";
import { memoryHourlyLimit } from "./hourly/memory-limit.ts";
import { openRedisHourlyLimit } from "./hourly/redis-limit.ts";
import type { LimitParts } from "./limits/check-limits.ts";
import { createKeyRates } from "./limits/key-rates.ts";
import { openMeter } from "./metering/meter.ts";
import { connectUsage } from "./metering/peer-usage-client.ts";
import { connectAuth } from "./upstream/auth-client.ts";

/** What authorizes and limits requests. */
export interface AdmissionParts extends LimitParts {
  authorizer: Authorizer;
}

interface Context {
  /** Owns everything that is opened. */
  opened: AsyncDisposableStack;
  clock: Clock;
  log: Logger;
  registry: Registry;
}

/** Opens a single gateway's stores, in files and memory. Every key is authorized by auth. */
export async function openEmbeddedStores(config: GatewayConfig, context: Context): Promise<AdmissionParts> {
  const { opened, clock, log, registry } = context;
  const authorizer = opened.adopt(connectAuth(config.authUrl, log, registry), (client) => client.close());
  const usageLog = opened.adopt(
    await openFileUsageLog({ folder: join(config.dataDir, "usage-log"), clock, log }),
    close,
  );
  opened.adopt(await openMonthRecorder(usageLog, { clock, log }), close);
  const meter = opened.adopt(await openMeter({ folder: journalFolder(config), usageLog, clock, log, registry }), close);
  const hourlyLimit = memoryHourlyLimit({
    limit: config.keylessLimit,
    ipv6Prefix: config.ipv6LimitPrefix,
    clock,
    registry,
  });
  return { authorizer, meter, hourlyLimit, keyRates: createKeyRates({ clock }) };
}

/** Opens the stores of a cluster's gateway: cached authorizations, shared counts and limits. Doesn't wait for them. */
export async function openClusterStores(
  config: GatewayConfig,
  stores: GatewayStores & { kind: "cluster" },
  context: Context,
): Promise<AdmissionParts> {
  const { opened, clock, log, registry } = context;
  const nats = opened.adopt(openNats({ url: stores.natsUrl, access: stores.natsAccess, name: "gateway", log }), close);
  const auth = opened.adopt(connectAuth(config.authUrl, log, registry), (client) => client.close());
  const authorizer = opened.adopt(
    openAuthorizationCache({
      authorizer: auth,
      feed: openJetStreamKeyFeed({ nats, log, registry }),
      clock: () => performance.now(),
      log,
      registry,
    }),
    close,
  );
  const usageLog = opened.adopt(openJetStreamUsageLog({ nats, replicas: stores.natsReplicas, log, registry }), close);
  const meter = opened.adopt(
    await openMeter({
      folder: journalFolder(config),
      isShared: config.sharesDataDir,
      usageLog,
      connectPeers: (instanceId) => connectUsage({ target: stores.usageUrl, instanceId }),
      clock,
      log,
      registry,
    }),
    close,
  );
  const hourlyLimit = opened.adopt(
    await openRedisHourlyLimit({
      access: stores.redis,
      secret: stores.ipHashSecret,
      limit: config.keylessLimit,
      ipv6Prefix: config.ipv6LimitPrefix,
      clock,
      log,
      registry,
    }),
    close,
  );
  return { authorizer, meter, hourlyLimit, keyRates: createKeyRates({ clock }) };
}

function journalFolder({ dataDir }: GatewayConfig): string {
  return join(dataDir, "journals");
}

function close(resource: { close(): Promise<void> }): Promise<void> {
  return resource.close();
}
