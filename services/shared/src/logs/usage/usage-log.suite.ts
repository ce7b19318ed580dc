import { expect } from "chai";
import type { MonthLog, UsageEntry, UsageLog, UsageSource, UsageSubject } from "../../domain/usage.ts";

/** A store of the adapter under test, initially empty. Disposing of it closes all open logs and removes the store. */
export interface UsageLogStore extends AsyncDisposable {
  /** Opens the log for writing, or reopens it. */
  open(): Promise<UsageLog & MonthLog>;
  /** Opens the log like another process that only reads it. */
  openSource(): Promise<UsageSource>;
}

const SUBJECT: UsageSubject = { day: "2026-05-02", instanceId: "boot1", shard: 3 };

/** The conformance suite of usage logs: every adapter passes it. */
export function usageLogSuite(adapter: string, createStore: () => Promise<UsageLogStore>): void {
  describe(`${adapter} as a usage log`, () => {
    let store: UsageLogStore;
    let log: UsageLog;
    beforeEach(async () => {
      store = await createStore();
      log = await store.open();
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const publish = (counts: Record<string, number>, subject = SUBJECT) =>
      log.publish(subject, new Map(Object.entries(counts)));
    /** What a new reader receives before it has caught up. */
    const stored = async (source: UsageSource) => {
      const seen = recorder();
      await using _following = await source.follow(seen.apply);
      return seen.counts();
    };

    it("keeps the last counts of each subject", async () => {
      await publish({ k1: 1, k2: 5 });
      await publish({ k1: 2 });
      await publish({ k1: 10 }, { ...SUBJECT, instanceId: "boot2" });
      await publish({ k1: 20 }, { ...SUBJECT, day: "2026-05-03" });
      await publish({ k9: 7 }, { ...SUBJECT, shard: 4 });
      const expected = {
        "2026-05-02 boot1 3": { k1: 2, k2: 5 },
        "2026-05-02 boot2 3": { k1: 10 },
        "2026-05-03 boot1 3": { k1: 20 },
        "2026-05-02 boot1 4": { k9: 7 },
      };
      expect(await stored(log)).to.deep.equal(expected);
      expect(await stored(await store.openSource())).to.deep.equal(expected);
    });

    it("never lowers a count: after a retry, a late recovery, or both with a mix of larger and smaller counts", async () => {
      await publish({ k1: 5, k2: 5 });
      await publish({ k1: 5, k2: 5 });
      await publish({ k1: 4 });
      await publish({ k1: 3, k2: 9, k3: 1 });
      expect(await stored(log)).to.deep.equal({ "2026-05-02 boot1 3": { k1: 5, k2: 9, k3: 1 } });
      expect(await stored(await store.openSource())).to.deep.equal({ "2026-05-02 boot1 3": { k1: 5, k2: 9, k3: 1 } });
    });

    it("keeps the largest of racing publishes", async () => {
      const order = [7, 2, 9, 4, 1, 8, 3, 6, 5];
      await Promise.all(order.map((count) => publish({ k1: count, [`only${count}`]: count })));
      const expected = { k1: 9, ...Object.fromEntries(order.map((count) => [`only${count}`, count])) };
      expect(await stored(log)).to.deep.equal({ "2026-05-02 boot1 3": expected });
    });

    it("keeps its counts and continues when closed and reopened", async () => {
      await publish({ k1: 5 });
      await log[Symbol.asyncDispose]();
      log = await store.open();
      expect(await stored(log)).to.deep.equal({ "2026-05-02 boot1 3": { k1: 5 } });
      await publish({ k1: 4, k2: 1 });
      await log[Symbol.asyncDispose]();
      log = await store.open();
      expect(await stored(log)).to.deep.equal({ "2026-05-02 boot1 3": { k1: 5, k2: 1 } });
    });

    it("delivers counts live to followers in this and other processes", async () => {
      await publish({ k1: 1 });
      const source = await store.openSource();
      const own = recorder();
      const other = recorder();
      await log.follow(own.apply);
      await source.follow(other.apply);
      for (let count = 2; count <= 20; count++) await publish({ k1: count });
      await publish({ late: 1 }, { ...SUBJECT, day: "2026-06-01" });
      const expected = { "2026-05-02 boot1 3": { k1: 20 }, "2026-06-01 boot1 3": { late: 1 } };
      await Promise.all([own.sees(expected), other.sees(expected)]);
    });

    it("doesn't call a follower that has stopped", async () => {
      const ended = recorder();
      const going = recorder();
      const ending = await log.follow(ended.apply);
      await log.follow(going.apply);
      await ending[Symbol.asyncDispose]();
      await publish({ k1: 1 });
      await going.sees({ "2026-05-02 boot1 3": { k1: 1 } });
      expect(ended.counts()).to.deep.equal({});
    });

    it("keeps delivering to followers when the writer is closed and reopened", async () => {
      const seen = recorder();
      await publish({ k1: 1 });
      await (await store.openSource()).follow(seen.apply);
      await log[Symbol.asyncDispose]();
      log = await store.open();
      await publish({ k1: 2 });
      await seen.sees({ "2026-05-02 boot1 3": { k1: 2 } });
    });

    it("refuses to publish once closed", async () => {
      await log[Symbol.asyncDispose]();
      const failure = await publish({ k1: 1 }).then(
        () => null,
        (error) => error,
      );
      expect(failure).to.be.instanceOf(Error);
    });
  });
}

type Counts = Record<string, Record<string, number>>;

/** Folds received entries by subject, and keeps the larger counts, as followers should. */
function recorder() {
  const counts: Counts = {};
  let check = () => {};
  return {
    apply({ subject, counts: received }: UsageEntry) {
      const name = `${subject.day} ${subject.instanceId} ${subject.shard}`;
      const known = counts[name] ?? {};
      for (const [keyId, count] of received) known[keyId] = Math.max(count, known[keyId] ?? 0);
      counts[name] = known;
      check();
    },
    counts: () => counts,
    /** Resolves once exactly this was received; the test's timeout is the deadline. */
    sees: (expected: Counts) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (sorted(counts) === sorted(expected)) resolve();
        };
        check();
      }),
  };
}

function sorted(counts: Counts): string {
  const inOrder = <Value>(object: Record<string, Value>) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(inOrder(counts).map(([name, keys]) => [name, inOrder(keys)]));
}
