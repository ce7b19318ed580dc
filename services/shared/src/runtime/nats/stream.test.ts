import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { startError } from "../../../../../test/harness/rejection.ts";
import { openJetStreamKeyLog } from "../../logs/keys/jetstream/key-log.ts";
import { type NatsLink, openNats } from "./connection.ts";
import { declareStream } from "./stream.ts";

const silent = pino({ level: "silent" });

describe("declaring a stream", () => {
  let opened: AsyncDisposableStack;
  let link: NatsLink;
  let manager: JetStreamManager;
  const settings = { name: "THINGS", subjects: ["things.*"], storage: "file" as const, max_msgs: -1, num_replicas: 1 };
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const server = opened.use(await startNatsServer());
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
    const log = await openJetStreamKeyLog({ nats: link, replicas: 1, log: silent, registry: new Registry() });
    const { config } = await manager.streams.info("KEYS");
    expect(config).to.include({ deny_delete: true, deny_purge: true, max_msgs_per_subject: -1, max_bytes: -1 });
    for (const work of [manager.streams.purge("KEYS"), manager.streams.deleteMessage("KEYS", 1)])
      expect(await work.catch((error: Error) => error)).to.be.instanceOf(Error);
    await log[Symbol.asyncDispose]();
  });
});
