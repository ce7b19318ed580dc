import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { type AbandonedJournal, recoverJournals } from "./recover-journals.ts";

describe("recoverJournals", () => {
  let discarded: string[];
  let nowMs = 0;
  beforeEach(() => {
    discarded = [];
  });
  const journal = (instanceId: string, shards: number): AbandonedJournal => ({
    entries: Array.from({ length: shards }, (_, shard) => ({
      subject: { day: "2026-05-02", instanceId, shard },
      counts: new Map([["k", 1]]),
    })),
    discard: () => void discarded.push(instanceId),
  });
  const recoveryOf = (journals: AbandonedJournal[], publish: UsageLog["publish"]) => {
    const failures: Error[] = [];
    const follow = async () => new AsyncDisposableStack();
    const usageLog: UsageLog = { publish, follow, [Symbol.asyncDispose]: async () => {} };
    return {
      failures,
      recovery: recoverJournals({ journals, usageLog, onFailure: (error) => failures.push(error), clock: () => nowMs }),
    };
  };

  it("discards a journal once all of it is acknowledged, and retries the others", async () => {
    let isFailing = true;
    let position = 0;
    const { recovery, failures } = recoveryOf(
      [journal("instance1", 2), journal("instance2", 3)],
      async ({ instanceId, shard }) => {
        if (isFailing && instanceId === "instance2" && shard === 2) throw new Error("log unavailable");
        position += 1;
        return position;
      },
    );
    await recovery.run();
    expect(discarded).to.deep.equal(["instance1"]);
    expect(failures).to.have.length(1);
    expect(recovery.isDone()).to.equal(false);
    isFailing = false;
    await recovery.run();
    expect(discarded).to.deep.equal(["instance1", "instance2"]);
    expect(recovery.isDone()).to.equal(true);
    expect(recovery.position()).to.equal(position);
  });

  it("reports its position for 10 s only, since the log may be recreated", async () => {
    const { recovery } = recoveryOf([journal("instance1", 1)], async () => 9_000_000);
    await recovery.run();
    nowMs += 9_999;
    expect(recovery.position()).to.equal(9_000_000);
    nowMs += 1;
    expect(recovery.position()).to.equal(0);
  });

  for (const [what, publish] of [
    ["fails", () => Promise.reject(new Error("down"))],
    ["hangs", () => new Promise<number>(() => {})],
  ] as const)
    it(`times out on a log that ${what}`, async () => {
      const { recovery } = recoveryOf([journal("instance1", 1)], publish);
      const startedMs = performance.now();
      await recovery.runFor(300);
      expect(performance.now() - startedMs).to.be.at.least(290);
      expect(recovery.isDone()).to.equal(false);
      expect(discarded).to.deep.equal([]);
    });

  it("keeps journals that are added during a run", async () => {
    const acknowledged = Promise.withResolvers<number>();
    const { recovery } = recoveryOf([journal("instance1", 1)], ({ instanceId }) =>
      instanceId === "instance1" ? acknowledged.promise : Promise.resolve(2),
    );
    const first = recovery.run();
    recovery.add([journal("instance2", 1)]);
    acknowledged.resolve(1);
    await first;
    expect(recovery.isDone()).to.equal(false);
    await recovery.run();
    expect(recovery.isDone()).to.equal(true);
    expect(discarded).to.deep.equal(["instance1", "instance2"]);
  });
});
