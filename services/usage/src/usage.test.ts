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

/** A log that the test writes. */
function testLog(stored: UsageEntry[] = []) {
  const caughtUp = Promise.withResolvers<AsyncDisposable>();
  let append = (_entry: UsageEntry, _position: number) => {};
  let ended = false;
  const source: UsageSource = {
    follow(apply) {
      append = apply;
      stored.forEach((each, index) => {
        apply(each, index + 1);
      });
      return caughtUp.promise;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    source,
    append: (added: UsageEntry, position: number) => append(added, position),
    catchUp: () =>
      caughtUp.resolve({
        async [Symbol.asyncDispose]() {
          ended = true;
        },
      }),
    isEnded: () => ended,
  };
}

describe("followUsage", () => {
  it("throws until it has caught up, because its totals are incomplete", async () => {
    const log = testLog([entry("2026-05-01", "boot1", 3)]);
    const usage = followUsage({ usageLog: log.source, ...quietly });
    expect(() => usage.month("key1", "2026-05")).to.throw("still reading");
    expect(() => usage.shardMonth(0, "2026-05")).to.throw("still reading");
    const totals = usage.totals(["key1"], "2026-05", "boot2", 0);
    expect(await totals.catch((error: unknown) => error)).to.include({ code: "unavailable" });
    log.catchUp();
    await usage.caughtUp;
    expect(usage.month("key1", "2026-05").total).to.equal(3);
    await usage[Symbol.asyncDispose]();
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
    it(`returns to ${instanceId} what others counted in ${month}`, async () => {
      const log = testLog([
        entry("2026-04-30", "boot1", 9),
        entry("2026-05-01", "boot1", 1),
        entry("2026-05-02", "boot1", 2),
        entry("2026-05-02", "boot2", 4),
      ]);
      log.catchUp();
      const usage = await openUsage({ usageLog: log.source, ...quietly });
      const returned = await usage.totals(["key1", "nobody"], month, instanceId, 0);
      expect(returned).to.deep.equal({ totals: expected, position: 4 });
      await usage[Symbol.asyncDispose]();
    });

  it("waits briefly for the requested position", async () => {
    const log = testLog([entry("2026-05-01", "boot1", 3)]);
    log.catchUp();
    const usage = await openUsage({ usageLog: log.source, ...quietly });
    const pending = usage.totals(["key1"], "2026-05", "boot9", 2);
    log.append(entry("2026-05-01", "boot2", 10), 2);
    expect(await pending).to.deep.equal({ totals: [13], position: 2 });
    expect(usage.position()).to.equal(2);
    expect(await usage.totals(["key1"], "2026-05", "boot9", 3)).to.deep.equal({ totals: [13], position: 2 });
    await usage[Symbol.asyncDispose]();
  });

  it("returns the totals that grew, once it has caught up", async () => {
    const log = testLog([entry("2026-05-01", "boot1", 3)]);
    const usage = followUsage({ usageLog: log.source, ...quietly });
    expect(() => usage.changes([], "boot9")).to.throw("still reading");
    log.catchUp();
    await usage.caughtUp;
    const { upTo } = usage.changes([], "boot9");
    log.append(entry("2026-05-01", "boot2", 10), 2);
    const months = [{ month: "2026-05", keyIds: ["key1"], totals: [13] }];
    expect(usage.changes([upTo], "boot9")).to.deep.include({ isComplete: true, position: 2, months });
    expect(usage.changes([upTo], "boot2").months).to.deep.equal([]);
    await usage[Symbol.asyncDispose]();
  });
});
