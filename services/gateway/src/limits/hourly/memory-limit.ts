import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Registry } from "@prometheus-io/client";
import { createCallerNames, type HourlyLimit } from "./hourly-limit.ts";
import { createDecisionCount } from "./hourly-metrics.ts";
import { createWindows, type Windows } from "./windows.ts";

const EXPIRE_INTERVAL_MS = 60_000;

/**
 * The limits in this process's memory. Callers are stored as HMACs with a secret that only this process has.
 * @param options.windows for tests.
 */
export function memoryHourlyLimit(options: {
  limit: number;
  ipv6Prefix: number;
  clock: Clock;
  registry: Registry;
  windows?: Windows;
}): HourlyLimit & Disposable {
  const { limit, ipv6Prefix, clock, windows = createWindows() } = options;
  const nameOf = createCallerNames(randomBytes(32), ipv6Prefix);
  const expiring = setInterval(() => windows.expire(clock()), EXPIRE_INTERVAL_MS).unref();
  const decided = createDecisionCount(options.registry, ["memory"]);
  return {
    limit,
    take: (ip, key) => {
      const decision = windows.take(nameOf(ip, key?.keyId), key ? key.limit : limit, clock());
      decided("memory", decision.admitted);
      return decision;
    },
    [Symbol.dispose]: () => clearInterval(expiring),
  };
}
