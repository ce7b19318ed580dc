import {
  REDIS_VARIABLES,
  redisAccess,
  redisCredentials,
  redisTls,
} from "@geolookup/gateway/limits/hourly/redis-access.ts";
import { reasonOf } from "@geolookup/gateway/limits/hourly/redis-failures.ts";
import { readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import type { Reading } from "@geolookup/shared/runtime/observability/readings.ts";
import { createClient, ErrorReply } from "@redis/client";
import { z } from "zod";

const TIMEOUT_MS = 3_000;
const NAMES = ["slowlog-log-slower-than", "slowlog-max-len", "latency-monitor-threshold", "save", "appendonly"];

/**
 * Whether the Redis of the hourly limits retains anything about callers for longer than an hour: its keys are hashes of
 * their addresses (infra/redis/redis.conf).
 * @returns null when REDIS_URL is not set. @throws StartError
 */
export async function redisReadings(environment: NodeJS.ProcessEnv): Promise<Reading[] | null> {
  const env = readEnvironment(z.object(REDIS_VARIABLES), environment, SECRETS);
  if (env.REDIS_URL === undefined) return null;
  const access = redisAccess(env);
  const client = createClient({
    ...redisCredentials(access),
    name: "geolookup-doctor",
    maintNotifications: "disabled",
    socket: { ...redisTls(access), connectTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // The calls reject with the same errors.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return judge(await client.configGet(NAMES));
  } catch (error) {
    const reason = reasonOf(error);
    return error instanceof ErrorReply && !/^(WRONGPASS|NOAUTH)/.test(reason)
      ? [
          {
            text: `could not check whether Redis retains anything about callers: CONFIG GET is denied (${reason})`,
            bad: false,
          },
        ]
      : [{ text: `NOT RESPONDING: ${reason}`, bad: true }];
  } finally {
    client.destroy();
  }
}

function judge(settings: Readonly<Record<string, string>>): Reading[] {
  const keepsSlowCommands = Number(settings["slowlog-log-slower-than"]) >= 0 && Number(settings["slowlog-max-len"]) > 0;
  const warnings = [
    ...(keepsSlowCommands
      ? [
          "SLOWLOG keeps hashes of callers' addresses indefinitely: CONFIG SET slowlog-log-slower-than -1, " +
            "CONFIG SET slowlog-max-len 0, SLOWLOG RESET, and the same two settings in its configuration",
        ]
      : []),
    ...(Number(settings["latency-monitor-threshold"]) > 0
      ? ["the latency monitor is on: CONFIG SET latency-monitor-threshold 0, LATENCY RESET"]
      : []),
    ...(settings.save !== "" || settings.appendonly !== "no"
      ? ['it writes hashes of callers\' addresses to disk: CONFIG SET save "", CONFIG SET appendonly no']
      : []),
  ];
  if (warnings.length === 0) return [{ text: "retains nothing about callers beyond the hour", bad: false }];
  return warnings.map((text) => ({ text, bad: true }));
}
