import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Registry } from "prom-client";
import { createCallerNames } from "./caller.ts";
import type { HourlyLimit } from "./hourly-limit.ts";
import { createDecisionCount } from "./hourly-metrics.ts";
import { createWindows } from "./windows.ts";

/** The limits in this process's memory. Callers are stored as HMACs with a secret that only this process has. */
export function memoryHourlyLimit(options: {
  limit: number;
  ipv6Prefix: number;
  clock: Clock;
  registry: Registry;
}): HourlyLimit {
  const { limit, ipv6Prefix, clock } = options;
  const nameOf = createCallerNames(randomBytes(32), ipv6Prefix);
  const windows = createWindows();
  const decided = createDecisionCount(options.registry, ["memory"]);
  return {
    limit,
    take: (ip, key) => {
      const decision = windows.take(nameOf(ip, key?.keyId), key ? key.limit : limit, clock());
      decided("memory", decision.admitted);
      return decision;
    },
  };
}
