import type { KeyCounts, UsageSubject } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type Refusals, startRefusals } from "./refusals.ts";

const DEADLINE_MS = 5_000;
const DAY_MS = 86_400_000;

/** A log that keeps what it gets, as text. While `isDown`, it rejects. */
function createLog() {
  const published: { subject: UsageSubject; counts: Record<string, number> }[] = [];
  const state = { isDown: false, attempts: 0 };
  return {
    ...{ state, published },
    async publishRefusals(subject: UsageSubject, refusals: KeyCounts) {
      state.attempts += 1;
      if (state.isDown) throw new Error("NATS is unreachable");
      published.push({ subject, counts: Object.fromEntries(refusals) });
    },
    /** The largest count of each name and day, as followers keep it. */
    counts() {
      const all: Record<string, number> = {};
      for (const { subject, counts } of published)
        for (const [name, count] of Object.entries(counts))
          all[`${subject.day} ${name}`] = Math.max(count, all[`${subject.day} ${name}`] ?? 0);
      return all;
    },
  };
}

describe("startRefusals", () => {
  let nowMs = Date.UTC(2026, 4, 2, 23);
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());
  const start = (log: ReturnType<typeof createLog>, maxPairs?: number) =>
    opened.use(
      startRefusals({
        ...{ refusalLog: log, clock: () => nowMs, log: pino({ level: "silent" }), intervalMs: 1 },
        ...(maxPairs !== undefined && { maxPairs }),
      }),
    );

  it("publishes cumulative counts by key, day and code, and only after a change", async () => {
    const log = createLog();
    const refusals = start(log);
    refusals.count("key_1", "quota_exceeded");
    refusals.count("key_1", "quota_exceeded");
    refusals.count("key_2", "origin_not_allowed");
    await waitFor("counts", () => expect(Object.keys(log.counts())).to.have.length(2), DEADLINE_MS);
    refusals.count("key_1", "quota_exceeded");
    nowMs += DAY_MS;
    refusals.count("key_1", "quota_exceeded");
    const expected = {
      "2026-05-02 key_1 quota_exceeded": 3,
      "2026-05-02 key_2 origin_not_allowed": 1,
      "2026-05-03 key_1 quota_exceeded": 1,
    };
    await waitFor("all counts", () => expect(log.counts()).to.deep.equal(expected), DEADLINE_MS);
    await opened.disposeAsync();
    expect(log.published).to.have.length(4);
    expect(new Set(log.published.map(({ subject }) => subject.instanceId)).size).to.equal(1);
  });

  it("retries what couldn't be published, without counting it twice", async () => {
    const log = createLog();
    log.state.isDown = true;
    const refusals = start(log);
    refusals.count("key_1", "rate_limited");
    await waitFor("attempts", () => expect(log.state.attempts).to.be.above(2), DEADLINE_MS);
    refusals.count("key_1", "rate_limited");
    log.state.isDown = false;
    const [day] = new Date(nowMs).toISOString().split("T");
    await waitFor(
      "the count",
      () => expect(log.counts()).to.deep.equal({ [`${day} key_1 rate_limited`]: 2 }),
      DEADLINE_MS,
    );
  });

  it("publishes a limited number of pairs at once, those first that have waited", async () => {
    const log = createLog();
    const refusals: Refusals = opened.use(
      startRefusals({
        ...{ clock: () => nowMs, log: pino({ level: "silent" }), intervalMs: 1, maxPairsPerPublish: 1 },
        refusalLog: {
          publishRefusals: async (subject, counts) => {
            await log.publishRefusals(subject, counts);
            if (counts.has("key_1 rate_limited")) refusals.count("key_1", "rate_limited");
          },
        },
      }),
    );
    for (const keyId of ["key_1", "key_2"]) refusals.count(keyId, "rate_limited");
    await waitFor(
      "the other key",
      () => log.published.some(({ counts }) => "key_2 rate_limited" in counts),
      DEADLINE_MS,
    );
  });

  it("publishes what can be published, whatever can't", async () => {
    const log = createLog();
    const refusals = start({
      ...log,
      publishRefusals: async (subject, counts) => {
        if (counts.has("key_1 rate_limited")) throw new Error("refused");
        await log.publishRefusals(subject, counts);
      },
    });
    for (const keyId of ["key_1", "key_2"]) refusals.count(keyId, "rate_limited");
    await waitFor("the other key", () => expect(Object.values(log.counts())).to.deep.equal([1]), DEADLINE_MS);
  });

  it("publishes when it is closed", async () => {
    const log = createLog();
    start(log).count("key_1", "unknown_key");
    await opened.disposeAsync();
    expect(Object.values(log.counts())).to.deep.equal([1]);
  });

  it("doesn't keep the process from ending if the log doesn't respond", async () => {
    const never = new Promise<never>(() => undefined);
    const refusals = start({ ...createLog(), publishRefusals: () => never });
    refusals.count("key_1", "unknown_key");
    const startedMs = performance.now();
    await refusals[Symbol.asyncDispose]();
    expect(performance.now() - startedMs).to.be.below(DEADLINE_MS);
  });

  it("holds a limited number of pairs of a key and a code, and room again the next day", async () => {
    const log = createLog();
    const refusals = start(log, 2);
    for (const keyId of ["key_1", "key_2", "key_3", "key_1"]) refusals.count(keyId, "rate_limited");
    await waitFor("counts", () => expect(Object.values(log.counts()).sort()).to.deep.equal([1, 2]), DEADLINE_MS);
    nowMs += DAY_MS;
    await waitFor(
      "room",
      () => {
        refusals.count("key_4", "rate_limited");
        return Object.keys(log.counts()).some((name) => name.includes("key_4"));
      },
      DEADLINE_MS,
    );
  });
});
