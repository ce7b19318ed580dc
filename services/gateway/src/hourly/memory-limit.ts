import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/runtime/clock.ts";
import { createCallerNames } from "./caller.ts";
import type { HourlyLimit } from "./hourly-limit.ts";
import { createWindows } from "./windows.ts";

/** The limit in this process's memory. Callers are kept as an HMAC under a secret that dies with the process. */
export function memoryHourlyLimit(options: { limit: number; ipv6Prefix: number; clock: Clock }): HourlyLimit {
  const { limit, ipv6Prefix, clock } = options;
  const nameOf = createCallerNames(randomBytes(32), ipv6Prefix);
  const windows = createWindows();
  return { limit, take: (ip) => windows.take(nameOf(ip), limit, clock()) };
}
