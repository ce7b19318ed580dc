import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { rejection } from "../../../../../test/harness/rejection.ts";
import { type KeyEvent, type KeyLog, type KeyLogFollower, VersionConflict } from "../../domain/key-event.ts";

/** A key log's store in a test. It outlives the logs that are opened on it. */
export interface KeyLogStore {
  /** Opens a log; the suite closes it. */
  open(): Promise<KeyLog>;
  /** How many logs may be open at once. */
  writers: number;
  remove(): Promise<void>;
}

const DEADLINE_MS = 10_000;

/** An invented event. A key's first event issues it. */
export function keyEvent(keyId: string, version: number, text = "", id: string = randomUUID()): KeyEvent {
  const envelope = { id, keyId, version, at: "2026-01-02T03:04:05.678Z", by: "test" };
  if (version > 1) return { ...envelope, type: "KeyLabelChanged", data: { label: text } };
  const data = {
    kind: "secret" as const,
    plan: "free",
    label: text,
    origins: ["https://example.com"],
    keySha256: "ab".repeat(32),
    display: "geo_sk_…abcd",
  };
  return { ...envelope, type: "KeyIssued", data };
}

/** An invented rotation of a key. */
export function rotation(keyId: string, version: number, successorId: string): KeyEvent {
  const successor = { keyId: successorId, keySha256: "cd".repeat(32), display: "geo_sk_…wxyz" };
  const envelope = { id: randomUUID(), keyId, version, at: "2026-01-02T03:04:05.678Z", by: "test" };
  return { ...envelope, type: "KeyRotated", data: { successor, endsAt: "2026-01-03T03:04:05.678Z" } };
}

/** A follower that collects the events of the current epoch, and counts calls of caughtUp(). */
export function collector() {
  const received = {
    epoch: "",
    epochs: [] as string[],
    events: [] as KeyEvent[],
    sequences: [] as number[],
    caughtUp: 0,
  };
  const follower: KeyLogFollower = {
    restart: (epoch) => {
      Object.assign(received, { epoch, epochs: [...received.epochs, epoch], events: [], sequences: [], caughtUp: 0 });
    },
    apply: (event, sequence) => {
      received.events.push(event);
      received.sequences.push(sequence);
      return true;
    },
    caughtUp: () => {
      received.caughtUp++;
    },
  };
  return { received, follower };
}

/** The conformance suite of KeyLog adapters. `createStore` creates a new, empty store. */
export function describeKeyLog(name: string, createStore: () => Promise<KeyLogStore>): void {
  describe(`key log: ${name}`, () => {
    let store: KeyLogStore;
    let opened: AsyncDisposableStack;
    const open = async () => opened.use(await store.open());
    const read = async (log: KeyLog) => {
      const { received, follower } = collector();
      await log.follow(follower);
      expect(received.caughtUp, "caught up once").to.equal(1);
      return received;
    };

    beforeEach(async () => {
      opened = new AsyncDisposableStack();
      store = await createStore();
    });
    afterEach(async () => {
      await opened.disposeAsync();
      await store.remove();
    });

    it("numbers events over the whole log and returns them unchanged, in order", async () => {
      const log = await open();
      const events = [
        keyEvent("a", 1, 'quotes " and \\ and\nnewlines \u2028 and 日本語 and \ud83d\ude80'),
        keyEvent("b", 1),
        keyEvent("a", 2, "second"),
      ];
      for (const [i, event] of events.entries()) expect(await log.append(event)).to.equal(i + 1);
      expect(await read(log)).to.deep.include({ events, sequences: [1, 2, 3] });
    });

    it("lets one of many concurrent writers of a version win, and rejects the others", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      const first = keyEvent("a", 1);
      await logs[0]?.append(first);
      const attempts = Array.from({ length: 30 }, (_, i) => ({
        log: logs[i % logs.length] as KeyLog,
        event: keyEvent("a", 2, `writer ${i}`),
      }));
      const results = await Promise.allSettled(attempts.map(({ log, event }) => log.append(event)));
      const won = attempts.filter((_, i) => results[i]?.status === "fulfilled").map(({ event }) => event);
      expect(won).to.have.length(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).to.be.instanceOf(VersionConflict);
      for (const log of logs) expect((await read(log)).events).to.deep.equal([first, ...won]);
    });

    it("rejects a late writer, no matter how outdated its version is", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      for (let version = 1; version <= 6; version++)
        await (logs[version % logs.length] as KeyLog).append(keyEvent("a", version));
      for (const log of logs)
        for (let version = 1; version <= 6; version++)
          expect(await rejection(log.append(keyEvent("a", version)))).to.be.instanceOf(VersionConflict);
      expect(await (logs[0] as KeyLog).append(keyEvent("a", 7))).to.equal(7);
    });

    it("recognizes an append that another connection stored", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      const events = [keyEvent("a", 1), keyEvent("a", 2), keyEvent("a", 3)];
      for (const event of events) await (logs[0] as KeyLog).append(event);
      for (const [i, event] of events.entries()) expect(await (logs.at(-1) as KeyLog).append(event)).to.equal(i + 1);
    });

    it("gives every follower the same epoch", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      const epochs = await Promise.all(logs.map(async (log) => (await read(log)).epoch));
      expect(new Set(epochs).size).to.equal(1);
      expect(epochs[0]).not.to.equal("");
    });

    it("rejects gaps, existing versions and keys that don't start at 1", async () => {
      const log = await open();
      await log.append(keyEvent("a", 1));
      for (const event of [keyEvent("a", 1), keyEvent("a", 3), keyEvent("b", 3)])
        expect(await rejection(log.append(event))).to.be.instanceOf(VersionConflict);
      expect((await read(log)).sequences).to.deep.equal([1]);
    });

    it("gives the successor of a rotation version 1, in the rotated key's event", async () => {
      const log = await open();
      const events = [
        keyEvent("a", 1),
        rotation("a", 2, "b"),
        keyEvent("b", 2),
        keyEvent("b", 3),
        rotation("b", 4, "c"),
      ];
      for (const event of events) await log.append(event);
      for (const event of [keyEvent("b", 2), keyEvent("b", 3), keyEvent("c", 3)])
        expect(await rejection(log.append(event))).to.be.instanceOf(VersionConflict);
      expect(await log.append(events[2] as KeyEvent), "a retry").to.equal(3);
      expect(await log.eventsOf("a")).to.deep.equal(events.slice(0, 2));
      expect(await log.eventsOf("b")).to.deep.equal(events.slice(2));
      await log[Symbol.asyncDispose]();
      const reopened = await open();
      expect((await read(reopened)).events).to.deep.equal(events);
      expect(await reopened.append(keyEvent("c", 2))).to.equal(6);
    });

    it("lets one of several concurrent rotations of a key win", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      await logs[0]?.append(keyEvent("a", 1));
      const rotations = Array.from({ length: 12 }, (_, i) => rotation("a", 2, `b${i}`));
      const results = await Promise.allSettled(
        rotations.map((event, i) => (logs[i % logs.length] as KeyLog).append(event)),
      );
      const won = rotations.filter((_, i) => results[i]?.status === "fulfilled");
      expect(won).to.have.length(1);
      expect((await read(logs[0] as KeyLog)).events.slice(1)).to.deep.equal(won);
    });

    it("lets one of several concurrent first changes of a successor win", async () => {
      const logs = await Promise.all(Array.from({ length: store.writers }, open));
      for (const event of [keyEvent("a", 1), rotation("a", 2, "b")]) await logs[0]?.append(event);
      const changes = Array.from({ length: 12 }, (_, i) => keyEvent("b", 2, `${i}`));
      const results = await Promise.allSettled(
        changes.map((event, i) => (logs[i % logs.length] as KeyLog).append(event)),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(1);
      expect(await logs.at(-1)?.eventsOf("b")).to.have.length(1);
    });

    it("keeps the events of customers and of finished upgrades", async () => {
      const log = await open();
      const envelope = (keyId: string, version: number) => ({
        ...{ id: randomUUID(), keyId, version, at: "2026-01-02T03:04:05.678Z", by: "test" },
      });
      const events: KeyEvent[] = [
        { ...envelope("cluster", 1), type: "UpgradeFinished", data: { version: "0.3.0" } },
        { ...envelope("customer_a", 1), type: "CustomerAdded", data: { name: "A", plan: "free", monthlyRequests: 5 } },
        { ...envelope("customer_a", 2), type: "CustomerDisabled", data: { reason: "unpaid" } },
        { ...envelope("customer_a", 3), type: "CustomerEnabled", data: {} },
        { ...envelope("customer_a", 4), type: "CustomerChanged", data: { name: "B", plan: "paid" } },
        { ...envelope("cluster", 2), type: "UpgradeFinished", data: { version: "0.4.0" } },
      ];
      for (const event of events) await log.append(event);
      await log[Symbol.asyncDispose]();
      const reopened = await open();
      expect((await read(reopened)).events).to.deep.equal(events);
      expect(await reopened.eventsOf("customer_a")).to.deep.equal(events.slice(1, 5));
    });

    it("stores every concurrent append of different keys once", async () => {
      const log = await open();
      const events = Array.from({ length: 200 }, (_, i) => keyEvent(`k${i}`, 1));
      const sequences = await Promise.all(events.map((event) => log.append(event)));
      const stored = await read(log);
      expect(stored.sequences).to.deep.equal(Array.from({ length: 200 }, (_, i) => i + 1));
      for (const [i, event] of events.entries()) expect(stored.events[(sequences[i] ?? 0) - 1]).to.deep.equal(event);
    });

    it("recognizes a retried append as its own, at once and later", async () => {
      const log = await open();
      const event = keyEvent("a", 1);
      expect(await Promise.all([log.append(event), log.append(event)])).to.deep.equal([1, 1]);
      await log.append(keyEvent("a", 2));
      expect(await log.append(event)).to.equal(1);
      expect((await read(log)).sequences).to.deep.equal([1, 2]);
    });

    it("continues live after the catch-up, for every follower, without gaps or repeats", async () => {
      const log = await open();
      await log.append(keyEvent("k0", 1));
      const writing = (async () => {
        for (let i = 1; i < 50; i++) await log.append(keyEvent(`k${i}`, 1));
      })();
      const followers = await Promise.all([read(log), read(log)]);
      await writing;
      const wanted = Array.from({ length: 50 }, (_, i) => i + 1);
      await until(() => followers.every(({ sequences }) => sequences.length >= 50));
      for (const { sequences } of followers) expect(sequences).to.deep.equal(wanted);
    });

    it("returns one key's events", async () => {
      const log = await open();
      const events = [keyEvent("a", 1), keyEvent("ab", 1), keyEvent("a", 2, "ab"), keyEvent("ab", 2, "a")];
      for (const event of events) await log.append(event);
      expect(await log.eventsOf("a")).to.deep.equal([events[0], events[2]]);
      expect(await log.eventsOf("ab")).to.deep.equal([events[1], events[3]]);
      expect(await log.eventsOf("b")).to.deep.equal([]);
    });

    it("keeps everything across a restart, including retries", async () => {
      const before = await open();
      const events = [keyEvent("a", 1), keyEvent("a", 2)];
      for (const event of events) await before.append(event);
      await before[Symbol.asyncDispose]();
      const log = await open();
      expect((await read(log)).events).to.deep.equal(events);
      expect(await log.append(events[1] as KeyEvent)).to.equal(2);
      expect(await rejection(log.append(keyEvent("a", 2)))).to.be.instanceOf(VersionConflict);
      expect(await log.append(keyEvent("a", 3))).to.equal(3);
    });

    it("fails clearly once closed, and can be closed twice", async () => {
      const log = await open();
      await log[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      expect(await rejection(log.append(keyEvent("a", 1)))).to.include({ code: "unavailable" });
    });
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("the condition did not come true in time");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
