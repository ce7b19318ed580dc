import { Registry } from "prom-client";
import { hourlyLimitSuite } from "./hourly-limit.suite.ts";
import { HOUR_MS } from "./hourly-limit.ts";
import { memoryHourlyLimit } from "./memory-limit.ts";

hourlyLimitSuite("the memory of one gateway", async () => {
  let nowMs = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
  return {
    open: async (limit) => [memoryHourlyLimit({ limit, ipv6Prefix: 64, clock: () => nowMs, registry: new Registry() })],
    nowMs: () => nowMs,
    shortenHours: async () => {},
    hoursOver: async () => {
      nowMs += HOUR_MS;
    },
    [Symbol.asyncDispose]: async () => {},
  };
});
