import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import type { DeadJournal } from "./abandoned-journals.ts";
import { createRescue } from "./recovery.ts";

describe("createRescue", () => {
  let discarded: string[];
  let nowMs = 0;
  beforeEach(() => {
    discarded = [];
  });
  const journal = (instanceId: string, shards: number): DeadJournal => ({
    entries: Array.from({ length: shards }, (_, shard) => ({
      subject: { day: "2026-05-02", instanceId, shard },
      counts: new Map([["k", 1]]),
    })),
    discard: () => void discarded.push(instanceId),
  });
  const rescueOf = (journals: DeadJournal[], publish: UsageLog["publish"]) => {
    const failures: Error[] = [];
    const usageLog: UsageLog = { publish, follow: async () => () => {}, close: async () => {} };
    return {
      failures,
      rescue: createRescue({ journals, usageLog, onFailure: (error) => failures.push(error), clock: () => nowMs }),
    };
  };

  it("is done when there is nothing", async () => {
    const { rescue } = rescueOf([], () => Promise.reject(new Error("never called")));
    expect(rescue.isDone()).to.equal(true);
    await rescue.run();
    expect(rescue.position()).to.equal(0);
  });

  it("discards a journal once all of it is acknowledged, and tries on with the others", async () => {
    let refusesBoot2 = true;
    let position = 0;
    const { rescue, failures } = rescueOf([journal("boot1", 2), journal("boot2", 3)], async ({ instanceId, shard }) => {
      if (refusesBoot2 && instanceId === "boot2" && shard === 2) throw new Error("refused");
      position += 1;
      return position;
    });
    await rescue.run();
    expect(discarded).to.deep.equal(["boot1"]);
    expect(failures).to.have.length(1);
    expect(rescue.isDone()).to.equal(false);
    refusesBoot2 = false;
    await rescue.run();
    expect(discarded).to.deep.equal(["boot1", "boot2"]);
    expect(rescue.isDone()).to.equal(true);
    expect(rescue.position()).to.equal(position);
  });

  it("tries until a log that is not up yet takes it", async () => {
    let attempts = 0;
    const { rescue } = rescueOf([journal("boot1", 1)], async () => {
      attempts += 1;
      if (attempts < 3) throw new Error("not up yet");
      return 9;
    });
    await rescue.runFor(10_000);
    expect(rescue.isDone()).to.equal(true);
    expect(rescue.position()).to.equal(9);
  });

  it("asks nobody to wait for its position for long: the log may be another by then", async () => {
    const { rescue } = rescueOf([journal("boot1", 1)], async () => 9_000_000);
    await rescue.run();
    nowMs += 9_999;
    expect(rescue.position()).to.equal(9_000_000);
    nowMs += 1;
    expect(rescue.position()).to.equal(0);
  });

  for (const [what, publish] of [
    ["refuses", () => Promise.reject(new Error("down"))],
    ["hangs", () => new Promise<number>(() => {})],
  ] as const)
    it(`gives up in time on a log that ${what}`, async () => {
      const { rescue } = rescueOf([journal("boot1", 1)], publish);
      const startedMs = performance.now();
      await rescue.runFor(300);
      expect(performance.now() - startedMs).to.be.within(290, 2_000);
      expect(rescue.isDone()).to.equal(false);
      expect(discarded).to.deep.equal([]);
    });

  it("publishes once at a time", async () => {
    const answered = Promise.withResolvers<number>();
    let published = 0;
    const { rescue } = rescueOf([journal("boot1", 1)], () => {
      published += 1;
      return answered.promise;
    });
    const runs = [rescue.run(), rescue.run()];
    answered.resolve(1);
    await Promise.all(runs);
    expect(published).to.equal(1);
  });

  it("keeps journals that it takes on while others are being published", async () => {
    const answered = Promise.withResolvers<number>();
    const { rescue } = rescueOf([journal("boot1", 1)], ({ instanceId }) =>
      instanceId === "boot1" ? answered.promise : Promise.resolve(2),
    );
    const first = rescue.run();
    rescue.add([journal("boot2", 1)]);
    answered.resolve(1);
    await first;
    expect(rescue.isDone()).to.equal(false);
    await rescue.run();
    expect(rescue.isDone()).to.equal(true);
    expect(discarded).to.deep.equal(["boot1", "boot2"]);
  });
});
