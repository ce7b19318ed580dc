import { type JetStreamManager, jetstreamManager, RetentionPolicy, type StreamConfig } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { startError } from "../../../../../test/harness/rejection.ts";
import { openJetStreamKeyLog } from "../../logs/keys/jetstream/key-log.ts";
import { keyStreamSettings } from "../../logs/keys/jetstream/stream.ts";
import { type NatsLink, openNats } from "./connection.ts";
import { declareStream, type StreamSettings, verifyStream } from "./stream.ts";

const silent = pino({ level: "silent" });

describe("declaring a stream", () => {
  let opened: AsyncDisposableStack;
  let link: NatsLink;
  let manager: JetStreamManager;
  const settings: StreamSettings = {
    ...{ name: "THINGS", subjects: ["things.*"], storage: "file", retention: "limits", discard: "old" },
    ...{ max_msgs: -1, num_replicas: 1 },
  };
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const server = opened.use(await startNatsServer({ isEmpty: true }));
    link = opened.use(openNats({ url: server.url, name: "test", log: silent }));
    manager = await jetstreamManager((await link.connected()).raw);
  });
  afterEach(() => opened.disposeAsync());

  it("creates it once, even concurrently, and keeps the first description", async () => {
    const infos = await Promise.all(
      ["a", "b", "c", "d"].map((description) => declareStream(manager, { ...settings, description })),
    );
    const descriptions = new Set(infos.map(({ config }) => config.description));
    expect(descriptions.size).to.equal(1);
    const again = await declareStream(manager, { ...settings, description: "e" });
    expect(descriptions).to.include(again.config.description);
  });

  it("names every setting that differs, and changes nothing", async () => {
    await manager.streams.add({ name: "THINGS", subjects: ["things.>"], max_msgs: 5 });
    const wanted = { ...settings, deny_delete: true };
    expect(await startError(() => declareStream(manager, wanted)))
      .to.match(/stream THINGS .*subjects is \["things\.>"\] instead of \["things\.\*"\]; max_msgs is 5 instead of -1/)
      .and.match(/deny_delete is false instead of true/);
    expect((await manager.streams.info("THINGS")).config.max_msgs).to.equal(5);
  });

  it("reports the server's reason for a permanent refusal", async () => {
    expect(await startError(() => declareStream(manager, { ...settings, num_replicas: 3 }))).to.match(
      /refuses to create the stream THINGS: replicas > 1/,
    );
  });

  const unexpected: [setting: string, change: Partial<StreamConfig>][] = [
    ["republish", { republish: { src: ">", dest: "evil.>" } }],
    ["sources", { sources: [{ name: "OTHER" }] }],
    ["max_age", { max_age: 86_400_000_000_000 }],
    ["max_bytes", { max_bytes: 1_000_000 }],
    ["max_msgs_per_subject", { max_msgs_per_subject: 1 }],
    ["no_ack", { no_ack: true }],
    ["subjects", { subjects: ["things.*", "others.*"] }],
    ["retention", { retention: RetentionPolicy.Interest }],
    ["allow_rollup_hdrs", { allow_rollup_hdrs: true }],
  ];
  for (const [setting, change] of unexpected)
    it(`refuses a stream with ${setting}`, async () => {
      await manager.streams.add({ ...settings, ...change } as StreamConfig);
      for (const check of [declareStream, verifyStream])
        expect(await startError(() => check(manager, settings))).to.include(`: ${setting} is`);
    });

  it("accepts settings that neither let messages in nor take them away", async () => {
    const harmless = { description: "x", allow_direct: true, deny_purge: true, duplicate_window: 60_000_000_000 };
    await manager.streams.add({ ...settings, ...harmless } as StreamConfig);
    await verifyStream(manager, settings);
  });

  it("doesn't create a missing stream when it checks it", async () => {
    const error = await verifyStream(manager, settings).catch((error: Error) => error);
    expect(error).to.have.property("message").that.includes("./geolookup nats-setup");
    expect(await manager.streams.names().next()).to.deep.equal([]);
  });

  it("prevents the key log from opening if KEYS could lose events", async () => {
    await manager.streams.add({ name: "KEYS", subjects: ["keys.*"], max_age: 86_400_000_000_000 });
    const message = await startError(() =>
      openJetStreamKeyLog({ nats: link, replicas: 1, log: silent, registry: new Registry() }),
    );
    expect(message)
      .to.match(/max_age is 86400000000000 instead of 0/)
      .and.match(/deny_delete/);
  });

  it("prevents deleting and purging in the key log", async () => {
    await declareStream(manager, keyStreamSettings(1));
    const { config } = await manager.streams.info("KEYS");
    expect(config).to.include({ deny_delete: true, deny_purge: true, max_msgs_per_subject: -1, max_bytes: -1 });
    for (const work of [manager.streams.purge("KEYS"), manager.streams.deleteMessage("KEYS", 1)])
      expect(await work.catch((error: Error) => error)).to.be.instanceOf(Error);
  });
});
