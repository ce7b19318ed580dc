import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { withinBudget } from "./flusher.ts";
import { meterFixture } from "./testing/meter-fixture.ts";
import { refusingLog } from "./testing/usage-folders.ts";

describe("flusher", () => {
  const fixture = meterFixture();

  it("flushes periodically", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    await fixture.open({ flushIntervalMs: 5 });
    const reached = new Promise<void>((resolve) => {
      void fixture.usageLog.follow(({ counts }) => {
        if (counts.get("key1") === 3) resolve();
      });
    });
    await fixture.count(3);
    await reached;
  });

  const budgets: [keyCounts: number[], taken: number][] = [
    [[], 0],
    [[1, 1, 1], 3],
    [[10_000, 10_000, 1], 2],
    [[10_000, 9_999, 1, 1], 3],
    [[50_000, 1], 1],
    [[19_999, 2, 1], 1],
  ];
  for (const [keyCounts, taken] of budgets)
    it(`takes ${taken} of the messages with ${keyCounts.join(", ") || "no"} counts`, () => {
      const messages = keyCounts.map((keyCount) => ({ keyCount }));
      expect(withinBudget(messages)).to.deep.equal(messages.slice(0, taken));
    });

  it("splits counts that don't fit into one flush", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    await fixture.open({ flushIntervalMs: 5 });
    const keys = Array.from({ length: 45_000 }, (_, index) => `key${index}`);
    await Promise.all(keys.map(async (keyId) => (await fixture.admit(10, keyId)).count()));
    const published = new Set<string>();
    await fixture.usageLog.follow(({ counts }) => {
      for (const keyId of counts.keys()) published.add(keyId);
    });
    await waitFor("all keys", () => published.size === keys.length, 10_000);
  });

  it("rotates the journal", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    await fixture.open({ flushIntervalMs: 5, rotateJournalAtBytes: 500 });
    const rotated = () => fixture.folders.journalFiles().every((file) => !file.includes(".1."));
    const deadline = Date.now() + 10_000;
    while (!rotated() && Date.now() < deadline) {
      await fixture.count(50);
      await new Promise(setImmediate);
    }
    expect(fixture.folders.journalFiles()).to.have.length(1);
    expect(rotated()).to.equal(true);
  });

  it("on close, publishes counts that were made while a message was in flight", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    const { usageLog } = fixture;
    const started = Promise.withResolvers<void>();
    const acknowledged = Promise.withResolvers<void>();
    const slow: UsageLog = {
      ...refusingLog(usageLog, () => false),
      async publish(subject, counts) {
        started.resolve();
        await acknowledged.promise;
        return usageLog.publish(subject, counts);
      },
    };
    await fixture.open({ flushIntervalMs: 5, usageLog: slow });
    await fixture.count(2);
    await started.promise;
    await fixture.count(3);
    const closed = fixture.meter[Symbol.asyncDispose]();
    acknowledged.resolve();
    await closed;
    expect(await fixture.total()).to.equal(5);
    expect(fixture.folders.journalFiles()).to.deep.equal([]);
  });

  describe("while the usage log fails", () => {
    it("keeps counting, and leaves the journal to the next instance", async () => {
      await fixture.meter[Symbol.asyncDispose]();
      await fixture.open({ usageLog: refusingLog(fixture.usageLog, () => true) });
      await fixture.count(5);
      expect(await fixture.isAdmitted(5)).to.equal(false);
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.total()).to.equal(0);
      expect(fixture.folders.journalFiles()).to.have.length(1);
      await fixture.open();
      expect(await fixture.total()).to.equal(5);
    });

    it("publishes everything once it works again", async () => {
      await fixture.meter[Symbol.asyncDispose]();
      let refusals = 0;
      const refused = Promise.withResolvers<void>();
      const log = refusingLog(fixture.usageLog, () => {
        refusals += 1;
        if (refusals === 4) refused.resolve();
        return refusals <= 4;
      });
      await fixture.open({ usageLog: log, flushIntervalMs: 5 });
      await fixture.count(5);
      await refused.promise;
      await fixture.count(3);
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.total()).to.equal(8);
      expect(fixture.folders.journalFiles()).to.deep.equal([]);
    });

    it("starts, applies recovered counts, and publishes them later", async () => {
      await fixture.meter[Symbol.asyncDispose]();
      writeFileSync(join(fixture.folders.journals, "crashed1.1.journal"), "2026-05-02 key1 4\n");
      let refusals = 0;
      const taken = Promise.withResolvers<void>();
      const log = refusingLog(fixture.usageLog, () => {
        refusals += 1;
        if (refusals > 3) taken.resolve();
        return refusals <= 3;
      });
      await fixture.open({ usageLog: log, flushIntervalMs: 5 });
      expect(await fixture.isAdmitted(4)).to.equal(false);
      expect(await fixture.isAdmitted(5)).to.equal(true);
      await taken.promise;
      await fixture.meter[Symbol.asyncDispose]();
      expect(await fixture.total()).to.equal(4);
      expect(fixture.folders.journalFiles()).to.deep.equal([]);
    });

    it("starts even if the log hangs, and publishes recovered counts later", async () => {
      await fixture.meter[Symbol.asyncDispose]();
      writeFileSync(join(fixture.folders.journals, "crashed1.1.journal"), "2026-05-02 key1 4\n");
      const hangs = Promise.withResolvers<void>();
      const { usageLog } = fixture;
      const log: UsageLog = {
        ...refusingLog(usageLog, () => false),
        publish: async (subject, counts) => {
          await hangs.promise;
          return usageLog.publish(subject, counts);
        },
      };
      await fixture.open({ usageLog: log });
      expect(fixture.folders.journalFiles()).to.include("crashed1.1.journal");
      hangs.resolve();
      await waitFor("the recovery", async () => (await fixture.total()) === 4, 5_000);
      await waitFor("its end", () => !fixture.folders.journalFiles().includes("crashed1.1.journal"), 5_000);
    });

    it("closes within its deadline if the log never responds, and keeps the journal", async () => {
      await fixture.meter[Symbol.asyncDispose]();
      await fixture.open({
        usageLog: { ...refusingLog(fixture.usageLog, () => false), publish: () => new Promise(() => {}) },
      });
      await fixture.count(2);
      await fixture.meter[Symbol.asyncDispose]();
      expect(fixture.folders.journalFiles()).to.have.length(1);
    });
  });
});
