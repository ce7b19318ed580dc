import type { UsageEntry, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import { expect } from "chai";
import { pino } from "pino";
import { followUsage, openUsage } from "./usage.ts";

const clock = () => Date.parse("2026-05-02T12:00:00Z");
const quietly = { monthLog: null, log: pino({ level: "silent" }), clock };
const entry = (day: string, instanceId: string, count: number): UsageEntry => ({
  subject: { day, instanceId, shard: shardOf("key1") },
  counts: new Map([["key1", count]]),
});

/** A log that the test tells. */
function tellingLog(stored: UsageEntry[] = []) {
  const caughtUp = Promise.withResolvers<() => void>();
  let tell = (_entry: UsageEntry, _position: number) => {};
  let ended = false;
  const source: UsageSource = {
    follow(apply) {
      tell = apply;
      stored.forEach((each, index) => {
        apply(each, index + 1);
      });
      return caughtUp.promise;
    },
    close: async () => {},
  };
  return {
    source,
    tell: (told: UsageEntry, position: number) => tell(told, position),
    catchUp: () =>
      caughtUp.resolve(() => {
        ended = true;
      }),
    isEnded: () => ended,
  };
}

describe("followUsage", () => {
  it("answers nothing before it has caught up: what it would say is too low", async () => {
    const log = tellingLog([entry("2026-05-01", "boot1", 3)]);
    const usage = followUsage({ usageLog: log.source, ...quietly });
    expect(() => usage.month("key1", "2026-05")).to.throw("still reading");
    expect(() => usage.shardMonth(0, "2026-05")).to.throw("still reading");
    const totals = usage.totals(["key1"], "2026-05", "boot2", 0);
    expect(await totals.catch((error: unknown) => error)).to.include({ code: "unavailable" });
    log.catchUp();
    await usage.caughtUp;
    expect(usage.month("key1", "2026-05").total).to.equal(3);
    await usage.close();
    await Promise.resolve();
    expect(log.isEnded()).to.equal(true);
  });

  const totals: [instanceId: string, month: string, expected: number[]][] = [
    ["boot1", "2026-05", [4, 0]],
    ["boot2", "2026-05", [3, 0]],
    ["another", "2026-05", [7, 0]],
    ["boot1", "2026-04", [0, 0]],
    ["boot2", "2026-04", [9, 0]],
  ];
  for (const [instanceId, month, expected] of totals)
    it(`tells ${instanceId} what others counted in ${month}`, async () => {
      const log = tellingLog([
        entry("2026-04-30", "boot1", 9),
        entry("2026-05-01", "boot1", 1),
        entry("2026-05-02", "boot1", 2),
        entry("2026-05-02", "boot2", 4),
      ]);
      log.catchUp();
      const usage = await openUsage({ usageLog: log.source, ...quietly });
      const told = await usage.totals(["key1", "nobody"], month, instanceId, 0);
      expect(told).to.deep.equal({ totals: expected, position: 4 });
      await usage.close();
    });

  it("waits for the position that who asks knows of, for a moment", async () => {
    const log = tellingLog([entry("2026-05-01", "boot1", 3)]);
    log.catchUp();
    const usage = await openUsage({ usageLog: log.source, ...quietly });
    const told = usage.totals(["key1"], "2026-05", "boot9", 2);
    log.tell(entry("2026-05-01", "boot2", 10), 2);
    expect(await told).to.deep.equal({ totals: [13], position: 2 });
    expect(usage.position()).to.equal(2);
    expect(await usage.totals(["key1"], "2026-05", "boot9", 3)).to.deep.equal({ totals: [13], position: 2 });
    await usage.close();
  });

  it("tells what grew with its new totals, once it has caught up", async () => {
    const log = tellingLog([entry("2026-05-01", "boot1", 3)]);
    const usage = followUsage({ usageLog: log.source, ...quietly });
    expect(() => usage.changes([], "boot9")).to.throw("still reading");
    log.catchUp();
    await usage.caughtUp;
    const { upTo } = usage.changes([], "boot9");
    log.tell(entry("2026-05-01", "boot2", 10), 2);
    const months = [{ month: "2026-05", keyIds: ["key1"], totals: [13] }];
    expect(usage.changes([upTo], "boot9")).to.deep.include({ isComplete: true, position: 2, months });
    expect(usage.changes([upTo], "boot2").months).to.deep.equal([]);
    await usage.close();
  });
});
