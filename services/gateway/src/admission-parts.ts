import { join } from "node:path";
import type { Authorizer } from "@geolookup/shared/domain/authorize.ts";
import { type Clock, elapsedClock } from "@geolookup/shared/domain/clock.ts";
import { openJetStreamKeyFeed } from "@geolookup/shared/logs/keys/jetstream/feed.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { openMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { InternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { Registry } from "@prometheus-io/client";
import { openAuthorizationCache } from "./authorization/authorization-cache.ts";
import type { GatewayConfig, GatewayStores } from "./config.ts";
import type { LimitParts } from "./limits/check-limits.ts";
import { memoryHourlyLimit } from "./limits/hourly/memory-limit.ts";
import { openRedisHourlyLimit } from "./limits/hourly/redis-limit.ts";
import { openMeter } from "./limits/monthly/meter.ts";
import { connectUsage } from "./limits/monthly/peer-queries.ts";
import { createKeyRates } from "./limits/rates/key-rates.ts";
import { openFileRefusalLog, type Refusals, startRefusals } from "./responses/refusals.ts";
import { connectAuth } from "./upstream/auth-client.ts";

/** What authorizes and limits requests, and counts those that are refused. */
export interface AdmissionParts extends LimitParts {
  authorizer: Authorizer;
  refusals: Refusals;
}

interface Context {
  /** Owns everything that is opened. */
  opened: AsyncDisposableStack;
  clock: Clock;
  log: Logger;
  registry: Registry;
  /** Null: connections to auth and usage have no TLS. */
  tls: InternalTls | null;
}

/** Opens a single gateway's stores, in files and memory. Every key is authorized by auth. */
export async function openEmbeddedStores(config: GatewayConfig, context: Context): Promise<AdmissionParts> {
  const { opened, clock, log, registry, tls } = context;
  const authorizer = opened.use(connectAuth(config.authUrl, log, registry, securePeer(tls, "auth")));
  const usageLog = opened.use(
    await openFileUsageLog({ folder: join(config.dataDir, "usage-log"), clock, log, registry }),
  );
  opened.use(await openMonthRecorder(usageLog, { clock, log }));
  const refusalLog = await openFileRefusalLog(config.dataDir, context);
  const refusals = opened.use(startRefusals({ refusalLog, clock, log }));
  const meter = opened.use(await openMeter({ folder: journalFolder(config), usageLog, clock, log, registry }));
  const hourlyLimit = opened.use(
    memoryHourlyLimit({
      limit: config.keylessLimit,
      ipv6Prefix: config.ipv6LimitPrefix,
      clock,
      registry,
    }),
  );
  return { authorizer, refusals, meter, hourlyLimit, keyRates: createKeyRates({ clock }) };
}

/** Opens the stores of a cluster's gateway: cached authorizations, shared counts and limits. Doesn't wait for them. */
export async function openClusterStores(
  config: GatewayConfig,
  stores: GatewayStores & { kind: "cluster" },
  context: Context,
): Promise<AdmissionParts> {
  const { opened, clock, log, registry, tls } = context;
  const nats = opened.use(openNats({ url: stores.natsUrl, access: stores.natsAccess, name: "gateway", log, registry }));
  const auth = opened.use(connectAuth(config.authUrl, log, registry, securePeer(tls, "auth")));
  const authorizer = opened.use(
    openAuthorizationCache({
      authorizer: auth,
      feed: openJetStreamKeyFeed({ nats, log, registry }),
      clock: elapsedClock,
      log,
      registry,
    }),
  );
  const usagePeer = securePeer(tls, "usage");
  const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas: stores.natsReplicas, log, registry }));
  const refusals = opened.use(startRefusals({ refusalLog: usageLog, clock, log }));
  const meter = opened.use(
    await openMeter({
      folder: journalFolder(config),
      isShared: true,
      usageLog,
      connectPeers: (instanceId) => connectUsage({ target: stores.usageUrl, peer: usagePeer, instanceId }),
      clock,
      log,
      registry,
    }),
  );
  const hourlyLimit = opened.use(
    await openRedisHourlyLimit({
      access: stores.redis,
      secret: stores.ipHashSecret,
      limit: config.keylessLimit,
      ipv6Prefix: config.ipv6LimitPrefix,
      clock,
      log,
      registry,
    }),
  );
  return { authorizer, refusals, meter, hourlyLimit, keyRates: createKeyRates({ clock }) };
}

/** Where counts are kept until the usage log has them. */
export function journalFolder({ dataDir }: Pick<GatewayConfig, "dataDir">): string {
  return join(dataDir, "journals");
}
