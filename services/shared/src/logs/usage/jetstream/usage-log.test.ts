import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { RefusalLog, UsageEntry, UsageLog } from "../../../domain/usage.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import { openNatsUsageLogs } from "../testing/usage-log-stores.ts";
import { usageLogSuite } from "../usage-log.suite.ts";
import { usageStreamSettings } from "./stream.ts";

const DEADLINE_MS = 10_000;
const REQUEST_TIMEOUT_MS = 5_000;
const SUBJECT = { day: "2026-05-02", instanceId: "boot1", shard: 3 };

describe("the usage log on JetStream", () => {
  let server: NatsServer;
  const logs = openNatsUsageLogs(() => server.url);
  before(async () => {
    server = await startNatsServer();
  });
  after(() => server.kill());

  afterEach(async () => {
    await logs.removeStreams();
    await logs.closeAll();
  });

  usageLogSuite("JetStream", async () => ({
    open: async () => (await logs.open()).usageLog,
    openSource: async () => (await logs.open()).usageLog,
    [Symbol.asyncDispose]: () => logs.closeAll(),
  }));

  describe("with a stream", () => {
    let writer: UsageLog & RefusalLog;
    let other: UsageLog & RefusalLog;
    let nats: NatsLink;
    let jetStream: JetStream;
    beforeEach(async () => {
      ({ usageLog: writer, nats } = await logs.open());
      ({ usageLog: other } = await logs.open());
      jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    });
    const stored = async () => {
      const message = await jetStream.findMessage("USAGE", { last_by_subj: "usage.20260502.boot1.3" });
      return JSON.parse(Buffer.from(message?.data ?? []).toString()).counts as Record<string, number>;
    };

    it("keeps one message per subject, with all its counts", async () => {
      for (let count = 1; count <= 5; count++) await writer.publish(SUBJECT, new Map([[`k${count}`, count]]));
      expect(await stored()).to.deep.equal({ k1: 1, k2: 2, k3: 3, k4: 4, k5: 5 });
      expect((await jetStream.streamInfo("USAGE")).state.messages).to.equal(1);
    });

    it("delivers refusals apart from counts, and never lowers them", async () => {
      const subject = { ...SUBJECT, instanceId: "boot2" };
      const publish = (log: RefusalLog, count: number) =>
        log.publishRefusals(subject, new Map([["k1 rate_limited", count]]));
      await writer.publish(SUBJECT, new Map([["k1", 1]]));
      await publish(writer, 5);
      await publish(other, 4);
      await publish(writer, 5);
      const entries: UsageEntry[] = [];
      await other.follow((entry) => entries.push(entry));
      const refusals = new Map([["k1 rate_limited", 5]]);
      expect(entries).to.deep.equal([
        { subject: SUBJECT, counts: new Map([["k1", 1]]) },
        { subject, counts: new Map(), refusals },
      ]);
    });

    it("returns a position that a follower reaches when it has the counts", async () => {
      const positions: number[] = [];
      await writer.publish(SUBJECT, new Map([["k", 1]]));
      await other.follow((_entry, position) => positions.push(position));
      const position = await writer.publish({ ...SUBJECT, shard: 4 }, new Map([["k", 1]]));
      await waitFor("the position", () => positions.includes(position), DEADLINE_MS);
      expect(await writer.publish({ ...SUBJECT, shard: 4 }, new Map([["k", 1]]))).to.equal(position);
    });

    it("catches up although the last message is replaced while it is read", async () => {
      let count = 0;
      const burst = async () => {
        const until = count + 10;
        while (count < until) await writer.publish(SUBJECT, new Map([["k", ++count]]));
      };
      for (let round = 0; round < 40; round++) {
        const [following] = await Promise.all([other.follow(() => {}), burst()]);
        await following[Symbol.asyncDispose]();
      }
    });

    it("keeps the larger counts of two racing writers, such as recovery and a gateway that was presumed dead", async () => {
      const counts = (writerName: string, count: number) =>
        new Map([
          ["shared", count],
          [writerName, count],
        ]);
      // While one writer creates the stream, NATS may refuse another's publish, which a gateway would retry.
      await jetStream.declareStream(usageStreamSettings(1));
      await Promise.all(
        [3, 1, 7, 5, 2, 9, 4].flatMap((count) => [
          writer.publish(SUBJECT, counts("a", count)),
          other.publish(SUBJECT, counts("b", count + 1)),
        ]),
      );
      expect(await stored()).to.deep.equal({ shared: 10, a: 9, b: 10 });
    });

    it("splits a customer's counts that are too large for a message, and keeps the larger of each over all parts", async () => {
      const accounts = Array.from({ length: 30_000 }, (_, at) => `customer_acme/key_${String(at).padStart(22, "0")}`);
      const counts = (from: number, to: number, count: number) =>
        new Map(accounts.slice(from, to).map((account) => [account, count]));
      await writer.publish(SUBJECT, counts(0, 20_000, 1));
      const position = await writer.publish(SUBJECT, counts(10_000, 30_000, 2));
      await Promise.all([
        writer.publish(SUBJECT, counts(0, 30_000, 1)),
        other.publish(SUBJECT, counts(0, 30_000, 3)),
        writer.publish(SUBJECT, counts(29_999, 30_000, 7)),
      ]);
      const seen = new Map<string, number>();
      let reached = 0;
      await using _following = await (await logs.open()).usageLog.follow(({ subject, counts: part }, at) => {
        expect(subject).to.deep.equal(SUBJECT);
        reached = Math.max(reached, at);
        for (const [account, count] of part) seen.set(account, Math.max(count, seen.get(account) ?? 0));
      });
      expect(seen).to.deep.equal(new Map([...counts(0, 30_000, 3), [accounts.at(-1), 7]]));
      expect(reached).to.be.at.least(position);
      const { last_seq: last } = (await jetStream.streamInfo("USAGE")).state;
      await other.publish(SUBJECT, counts(0, 30_000, 3));
      expect((await jetStream.streamInfo("USAGE")).state).to.include({ messages: 2, last_seq: last });
    });

    it("continues with a message that a version without parts filled", async () => {
      const count = 26_000;
      const full = Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${"x".repeat(22)}${at}`, 1]));
      await jetStream.publish("usage.20260502.boot1.3", JSON.stringify({ type: "usage", version: 1, counts: full }));
      await writer.publish(SUBJECT, new Map(Object.keys(full).map((account) => [account, 1_000_000_000])));
      const seen = new Map<string, number>();
      await using _following = await other.follow(({ counts }) => {
        for (const [account, counted] of counts) seen.set(account, Math.max(counted, seen.get(account) ?? 0));
      });
      expect(seen.size).to.equal(count);
      expect(new Set(seen.values())).to.deep.equal(new Set([1_000_000_000]));
    });

    it("doesn't publish counts that are already stored", async () => {
      await writer.publish(SUBJECT, new Map([["k1", 5]]));
      const { last_seq: before } = (await jetStream.streamInfo("USAGE")).state;
      await other.publish(SUBJECT, new Map([["k1", 5]]));
      await writer.publish(SUBJECT, new Map([["k1", 4]]));
      expect((await jetStream.streamInfo("USAGE")).state.last_seq).to.equal(before);
    });

    it("replaces a garbage message with its counts", async () => {
      await other.publish(SUBJECT, new Map([["k", 1]]));
      await jetStream.publish("usage.20260502.boot1.3", Buffer.from("\0\0garbage"));
      await other.publish(SUBJECT, new Map([["k", 2]]));
      expect(await stored()).to.deep.equal({ k: 2 });
    });

    it("doesn't replace messages of another version, and reports them", async () => {
      await other.publish({ ...SUBJECT, shard: 9 }, new Map([["k", 1]]));
      await jetStream.publish("usage.20260502.boot1.3", '{"type":"usage","version":2,"counts":{"k":50}}');
      const failure = await writer.publish(SUBJECT, new Map([["k", 2]])).catch((error: Error) => error);
      expect(failure).to.be.instanceOf(Error).and.to.have.property("message").that.includes("another version");
      expect(await stored()).to.deep.equal({ k: 50 });
    });

    it("fills a recreated stream with its own counts", async () => {
      await writer.publish(SUBJECT, new Map([["k1", 5]]));
      await jetStream.deleteStream("USAGE");
      await waitFor("the stream", () => jetStream.declareStream(usageStreamSettings(1)), DEADLINE_MS);
      await waitFor(
        "a publish to succeed",
        async () => {
          await writer.publish(SUBJECT, new Map([["k2", 1]]));
          return true;
        },
        DEADLINE_MS,
      );
      expect(await stored()).to.deep.equal({ k1: 5, k2: 1 });
    });
  });

  it("is declared with file storage, an age limit and one message per subject", async () => {
    const { usageLog, nats } = await logs.open();
    await usageLog.publish(SUBJECT, new Map([["k", 1]]));
    const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    expect((await jetStream.streamInfo("USAGE")).config).to.deep.include({
      subjects: ["usage.*.*.*"],
      storage: "file",
      retention: "limits",
      discard: "old",
      max_msgs_per_subject: 1,
      max_msgs: -1,
      max_bytes: -1,
      // 430 days in nanoseconds, by `echo '430*86400*10^9' | bc`.
      max_age: 37_152_000_000_000_000,
      num_replicas: 1,
    });
  });

  it("stores month records in a stream without an age limit", async () => {
    const { usageLog, nats } = await logs.open();
    await usageLog.publishMonth({ month: "2026-05", shard: 3, totals: new Map([["k", 1]]) });
    const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    expect((await jetStream.streamInfo("USAGE_MONTHS")).config).to.deep.include({
      subjects: ["usage-months.*.*"],
      storage: "file",
      retention: "limits",
      max_msgs_per_subject: 1,
      max_age: 0,
    });
  });

  it("isn't used with wrong settings, and the error names them", async () => {
    const { usageLog, nats } = await logs.open();
    const jetStream = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    await jetStream.deleteStream("USAGE");
    const wrong = { ...usageStreamSettings(1), storage: "memory", max_msgs_per_subject: -1 } as const;
    // Newer versions of NATS need a moment to release the name of a deleted stream.
    await waitFor("the stream", () => jetStream.declareStream(wrong), DEADLINE_MS);
    const failure = await usageLog.publish(SUBJECT, new Map([["k", 1]])).catch((error: Error) => error);
    expect(failure)
      .to.be.instanceOf(StartError)
      .and.to.have.property("message")
      .that.includes('storage is "memory" instead of "file"')
      .and.includes("max_msgs_per_subject");
    const refused = await usageLog.follow(() => {}).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(StartError);
    await jetStream.deleteStream("USAGE");
    await waitFor("the stream", () => jetStream.declareStream(usageStreamSettings(1)), DEADLINE_MS);
    await waitFor("a publish to succeed", () => usageLog.publish(SUBJECT, new Map([["k", 1]])), DEADLINE_MS);
  });

  it("sets poisoned messages aside, counted and logged once, and continues", async () => {
    const lines: { stream?: string; sequence?: number }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const registry = new Registry();
    const { usageLog, nats } = await logs.open(log, registry);
    await usageLog.publish(SUBJECT, new Map([["k", 1]]));
    const client = await (await nats.connected()).jetStream(REQUEST_TIMEOUT_MS);
    const poison: [subject: string, text: string][] = [
      ["usage.20260502.boot2.1", "\0\xff\x01"],
      ["usage.20260502.boot2.2", '{"type":"elevation","version":1}'],
      ["usage.20260502.boot2.3", '{"type":"usage","version":99,"counts":{}}'],
      ["usage.garbage.boot2.4", '{"type":"usage","version":1,"counts":{"k":1}}'],
      ["usage.20260502.boot2.64", '{"type":"usage","version":1,"counts":{"k":1}}'],
    ];
    await usageLog.publishMonth({ month: "2026-04", shard: 3, totals: new Map([["k", 9]]) });
    await client.publish("usage-months.202604.4", '{"type":"usage","version":99,"counts":{}}');
    await client.publish("usage-months.202613.4", '{"type":"usage","version":1,"counts":{"k":1}}');
    for (const [subject, text] of poison) await client.publish(subject, Buffer.from(text, "latin1"));
    await usageLog.publish({ ...SUBJECT, instanceId: "boot3" }, new Map([["k", 2]]));
    for (let round = 0; round < 2; round++) {
      const received: string[] = [];
      await using _following = await usageLog.follow(
        ({ subject, counts }) => void received.push(`${subject.instanceId} ${counts.get("k")}`),
        ({ month, totals }) => void received.push(`${month} ${totals.get("k")}`),
      );
      expect(received).to.have.members(["boot1 1", "boot3 2", "2026-04 9"]);
    }
    const sequencesIn = (stream: string) => lines.filter((line) => line.stream === stream).map((line) => line.sequence);
    expect(sequencesIn("USAGE")).to.deep.equal([2, 3, 4, 5, 6]);
    expect(sequencesIn("USAGE_MONTHS")).to.deep.equal([2, 3]);
    const metric = await registry.getSingleMetric("geolookup_usage_log_messages_set_aside_total")?.get();
    expect(metric?.values).to.deep.equal([{ value: 7, labels: {} }]);
  });
});
