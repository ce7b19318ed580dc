import { periodAt } from "@geolookup/shared/domain/period.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import { expect } from "chai";
import type { KeyMonth, ShardDay } from "./key-month.ts";
import { Ledger } from "./ledger.ts";

const MAY_2 = periodAt(Date.parse("2026-05-02T12:00:00Z"));
const MAY_3 = periodAt(Date.parse("2026-05-03T12:00:00Z"));
const DAY_MS = 86_400_000;

describe("Ledger", () => {
  let now: number;
  let ledger: Ledger;
  let key: KeyMonth;
  beforeEach(() => {
    now = 1_000;
    ledger = new Ledger("instance1", () => now);
    key = ledger.open(ledger.book("2026-05"), "key1");
  });
  const only = (): ShardDay => {
    const [shardDay, ...rest] = ledger.publishable();
    if (!shardDay || rest.length > 0) throw new Error(`expected one subject, found ${rest.length}`);
    return shardDay;
  };

  it("counts by day, cumulatively", () => {
    expect([ledger.count(key, MAY_2), ledger.count(key, MAY_2), ledger.count(key, MAY_3)]).to.deep.equal([1, 2, 1]);
    expect(key.counted).to.equal(3);
    expect([...ledger.unacknowledged()]).to.have.deep.members([
      { day: "2026-05-02", account: "key1", count: 2 },
      { day: "2026-05-03", account: "key1", count: 1 },
    ]);
  });

  it("publishes cumulative counts under day, instance and shard, once", () => {
    ledger.count(key, MAY_2);
    ledger.count(key, MAY_2);
    const shardDay = only();
    expect(shardDay.subject).to.deep.equal({ day: "2026-05-02", instanceId: "instance1", shard: shardOf("key1") });
    expect(ledger.take(shardDay)).to.deep.equal(new Map([["key1", 2]]));
    ledger.acknowledge(shardDay);
    expect(ledger.publishable()).to.deep.equal([]);
    expect(ledger.unacknowledgedCount).to.equal(0);
  });

  it("keeps one message in flight per subject", () => {
    ledger.count(key, MAY_2);
    const shardDay = only();
    ledger.take(shardDay);
    ledger.count(key, MAY_2);
    expect(ledger.publishable()).to.deep.equal([]);
    expect([...ledger.unacknowledged()]).to.deep.equal([{ day: "2026-05-02", account: "key1", count: 2 }]);
    ledger.acknowledge(shardDay);
    expect(ledger.take(only())).to.deep.equal(new Map([["key1", 2]]));
  });

  it("keeps a count whose publishing failed", () => {
    ledger.count(key, MAY_2);
    const shardDay = only();
    ledger.take(shardDay);
    ledger.giveBack(shardDay);
    expect(ledger.take(only())).to.deep.equal(new Map([["key1", 1]]));
  });

  it("continues each day's count if the clock jumps between days", () => {
    const counts = [MAY_2, MAY_2, MAY_3, MAY_2, MAY_3, MAY_3].map((day) => ledger.count(key, day));
    expect(counts).to.deep.equal([1, 2, 1, 3, 2, 3]);
    const taken = ledger.publishable().map((shardDay) => [shardDay.subject.day, ledger.take(shardDay).get("key1")]);
    expect(taken).to.have.deep.members([
      ["2026-05-02", 3],
      ["2026-05-03", 3],
    ]);
  });

  it("keeps counts of another day, whether released or late", () => {
    ledger.count(key, MAY_2);
    const shardDay = only();
    ledger.take(shardDay);
    ledger.count(key, MAY_3);
    ledger.giveBack(shardDay);
    expect(ledger.count(key, MAY_2), "served after midnight").to.equal(2);
    expect(ledger.take(shardDay)).to.deep.equal(new Map([["key1", 2]]));
    ledger.acknowledge(shardDay);
    ledger.count(key, MAY_2);
    expect(ledger.take(shardDay)).to.deep.equal(new Map([["key1", 3]]));
  });

  it("offers the oldest changes first, so a busy subject doesn't block the others", () => {
    const book = ledger.book("2026-05");
    const keys = ["key1", "key2", "key3"].map((keyId) => book.keys.get(keyId) ?? ledger.open(book, keyId));
    for (const each of keys) ledger.count(each, MAY_2);
    const order = () => ledger.publishable().map(({ subject }) => subject.shard);
    const [first, second, third] = keys.map(({ account }) => shardOf(account));
    expect(order()).to.deep.equal([first, second, third]);
    const busy = ledger.publishable()[0] as ShardDay;
    ledger.take(busy);
    ledger.count(keys[0] as KeyMonth, MAY_2);
    ledger.acknowledge(busy);
    expect(order()).to.deep.equal([second, third, first]);
    expect(busy.keyCount).to.equal(1);
  });

  describe("reports the age of the oldest unacknowledged count", () => {
    it("across failed publishes", () => {
      expect(ledger.lagMs).to.equal(0);
      ledger.count(key, MAY_2);
      const shardDay = only();
      now += 300;
      ledger.take(shardDay);
      now += 400;
      ledger.count(key, MAY_2);
      expect(ledger.lagMs).to.equal(700);
      ledger.giveBack(shardDay);
      expect(ledger.lagMs).to.equal(700);
    });

    it("starting over once it is acknowledged, even if the key keeps counting", () => {
      ledger.count(key, MAY_2);
      const shardDay = only();
      now += 300;
      ledger.take(shardDay);
      now += 400;
      ledger.count(key, MAY_2);
      now += 5;
      ledger.acknowledge(shardDay);
      expect(ledger.lagMs).to.equal(5);
    });
  });

  describe("drops a month", () => {
    beforeEach(() => {
      ledger.forgetBefore("2026-05", 0);
    });

    it("two months later, once it is published and hasn't been current for a day", () => {
      ledger.forgetBefore("2026-06", 40 * DAY_MS);
      expect(ledger.monthCount).to.equal(1);
      ledger.forgetBefore("2026-07", 70 * DAY_MS);
      expect(ledger.monthCount).to.equal(0);
    });

    it("but not if the clock jumps and returns", () => {
      ledger.count(key, MAY_2);
      const shardDay = only();
      ledger.take(shardDay);
      ledger.acknowledge(shardDay);
      ledger.forgetBefore("2031-01", 1_000);
      expect(ledger.book("2026-05").keys.get("key1")?.counted).to.equal(1);
    });

    it("but not while a request in it is in progress", () => {
      ledger.book("2026-05").reserved = 1;
      ledger.forgetBefore("2026-07", 70 * DAY_MS);
      expect(ledger.monthCount).to.equal(1);
    });

    it("but not while it has unacknowledged counts", () => {
      ledger.count(key, MAY_2);
      const shardDay = only();
      ledger.forgetBefore("2026-07", 70 * DAY_MS);
      expect(ledger.monthCount).to.equal(1);
      ledger.take(shardDay);
      ledger.forgetBefore("2026-07", 70 * DAY_MS);
      expect(ledger.monthCount).to.equal(1);
      ledger.acknowledge(shardDay);
      ledger.forgetBefore("2026-07", 70 * DAY_MS);
      expect(ledger.monthCount).to.equal(0);
    });
  });
});
