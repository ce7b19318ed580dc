import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { monthsBefore, oldestKeptMonth, periodAt } from "@geolookup/shared/domain/period.ts";
import type { Month, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { openFileUsageLogReader } from "@geolookup/shared/logs/usage/file/reader.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { natsUrl } from "@geolookup/shared/runtime/env/addresses.ts";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import type { ServiceRecord } from "@geolookup/shared/runtime/files/service-record.ts";
import { usageFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { NatsLink } from "@geolookup/shared/runtime/nats/connection.ts";
import { createLog, type Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Registry } from "@prometheus-io/client";
import { z } from "zod";
import { type CommandContext, printResult } from "../command-line.ts";
import { openService } from "../keys/admin-client.ts";
import { findService, type ServiceAddress } from "../keys/service-address.ts";
import { connectToNats } from "../nats-connection.ts";
import { exportAdvice, findClusterIn } from "../running-services.ts";
import { type AskShard, type Comparison, compareWithService } from "./compare.ts";

/** How long the service may be behind the log before that counts as a difference. */
const GRACE_MS = 2_000;
const RETRY_AFTER_MS = 250;
const REQUEST_TIMEOUT_MS = 5_000;

const SCHEMA = z.object({ DATA_DIR: z.string().default("data"), NATS_URL: natsUrl().optional() });

/**
 * Folds the usage log (at NATS_URL, or in DATA_DIR) and prints where the running usage service reports
 * other counts. The service is found as `keys` finds it.
 * @returns the exit status: 0 if there is no difference, 1 otherwise.
 * @throws StartError, ServiceError
 */
export async function runVerify(context: CommandContext, asJson?: boolean): Promise<number> {
  const { environment } = context;
  const service = findService("usage", environment);
  await using opened = new AsyncDisposableStack();
  const usageLog = await openLog(environment, createLog("usage-verify", "error"), opened);
  const comparison = await compareWithLog(usageLog, service);
  printResult(context, { json: comparison, text: report(comparison) }, asJson);
  return comparison.differences.length === 0 ? 0 : 1;
}

/** Folds the log from its start and compares it with the service. @throws ServiceError; StartError when it is unreachable */
async function compareWithLog(usageLog: UsageSource, address: ServiceAddress): Promise<Comparison> {
  const fold = createUsageFold();
  using service = openService(address);
  const ask: AskShard = async (shard, month) => {
    const { keys } = await service.call(USAGE.ListShardMonth, { shard, month });
    return new Map(keys.map(usageFromWire).map((usage) => [usage.keyId, usage]));
  };
  await using _following = await usageLog.follow(fold.apply, fold.applyMonth);
  const giveUpAtMs = performance.now() + GRACE_MS;
  const nowMs = Date.now();
  const keptByDay = oldestKeptMonth(nowMs);
  const [first = keptByDay] = fold.months();
  const months: Month[] = [];
  for (let { month } = periodAt(nowMs); month >= first || month >= keptByDay; month = monthsBefore(month, 1))
    months.unshift(month);
  return await compareWithService(fold, { months, keptByDay }, ask, async () => {
    if (performance.now() >= giveUpAtMs) return false;
    await delay(RETRY_AFTER_MS);
    return true;
  });
}

async function openLog(
  environment: NodeJS.ProcessEnv,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<UsageSource> {
  const { DATA_DIR: dataDir, NATS_URL: url } = readEnvironment(SCHEMA, environment, SECRETS);
  if (url === undefined) {
    const cluster = findClusterIn(dataDir, environment);
    if (cluster) throw new StartError(clusterLogAdvice(cluster));
    return opened.use(openFileUsageLogReader({ folder: join(dataDir, "usage-log"), log }));
  }
  const nats = await connectToNats(environment, opened);
  const replicas = await replicasOf(nats);
  return opened.use(openJetStreamUsageLog({ nats, replicas, log, registry: new Registry() }));
}

/** The log in DATA_DIR is that of `make start`; on embedded stores, the cluster's is in its gateway's folder. */
function clusterLogAdvice(cluster: ServiceRecord): string {
  const isInNats = cluster.variables.NATS_URL !== undefined;
  return exportAdvice(cluster, isInNats ? "" : `, set DATA_DIR to ${join(cluster.dataDir, "gateway-1")}`);
}

/** The replicas that the stream has, so that opening the log accepts it. */
async function replicasOf(nats: NatsLink): Promise<number> {
  try {
    const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    return (await jetStream.streamInfo("USAGE")).config.num_replicas;
  } catch (error) {
    throw new StartError(`there is no usage log at NATS_URL: ${(error as Error).message}`);
  }
}

function report({ differences, compared }: Comparison): string {
  const lines = differences.map(
    ({ keyId, period, logged, reported }) => `${keyId}  ${period}  log ${logged}  service ${reported}\n`,
  );
  const found = `${differences.length} ${differences.length === 1 ? "difference" : "differences"}`;
  const counts = `${compared} monthly ${compared === 1 ? "count" : "counts"}`;
  return `${lines.join("")}${counts} compared: ${lines.length === 0 ? "no difference" : found}\n`;
}
