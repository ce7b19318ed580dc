import { mock } from "node:test";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { hourlyLimitSuite } from "./hourly-limit.suite.ts";
import { HOUR_MS } from "./hourly-limit.ts";
import { memoryHourlyLimit } from "./memory-limit.ts";
import { createWindows } from "./windows.ts";

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

describe("memoryHourlyLimit", () => {
  it("drops callers while no request comes", () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      let nowMs = Date.UTC(2026, 0, 1);
      const [startMs, windows] = [nowMs, createWindows()];
      const options = { limit: 1, ipv6Prefix: 64, clock: () => nowMs, registry: new Registry(), windows };
      using limit = memoryHourlyLimit(options);
      limit.take("192.0.2.7");
      expect([...windows.callers(startMs)]).to.have.length(1);
      for (let minute = 0; minute < 125; minute += 1) {
        nowMs += 60_000;
        mock.timers.tick(60_000);
      }
      expect([...windows.callers(startMs)]).to.deep.equal([]);
    } finally {
      mock.timers.reset();
    }
  });
});
