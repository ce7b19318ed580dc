import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { endsBefore } from "../../../../../../test/harness/ends-before.ts";
import { type NatsServer, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../../../test/harness/rejection.ts";
import { startTcpProxy, type TcpProxy } from "../../../../../../test/harness/tcp-proxy.ts";
import { tempFolder } from "../../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import { type KeyEvent, type KeyLog, VersionConflict } from "../../../domain/key-event.ts";
import { type NatsConnection, type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { collector, keyEvent } from "../key-log.suite.ts";
import { appendKeyEvent } from "./append.ts";
import { openJetStreamKeyLog } from "./key-log.ts";
import { newKeyStreamSettings } from "./stream.ts";

const DEADLINE_MS = 10_000;
/** An append that cannot succeed must fail within this and six round trips to NATS. */
const REFUSAL_MS = 2_200;
const silent = pino({ level: "silent" });

describe("the key log on JetStream, when NATS fails", () => {
  let server: NatsServer;
  let proxy: TcpProxy;
  let opened: AsyncDisposableStack;
  /** Directly connected to the server. */
  let log: KeyLog;
  let link: NatsLink;
  /** Connected through the proxy, with its log and metrics. */
  let far: KeyLog;
  let farLink: NatsLink;
  let errors: { msg: string; reason?: string }[];
  let registry: Registry;

  const count = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  const refusalMs = async (nats: NatsLink) => REFUSAL_MS + 6 * (await nats.connected()).roundTripMs();
  const keyIds = (events: readonly KeyEvent[]) => events.map(({ keyId, version }) => `${keyId}${version}`).join(" ");

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
    proxy = opened.use(await startTcpProxy(server.port));
    link = opened.use(openNats({ url: server.url, name: "near", log: silent }));
    farLink = opened.use(openNats({ url: `nats://127.0.0.1:${proxy.port}`, name: "far", log: silent }));
    errors = [];
    registry = new Registry();
    const farLog = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line)) });
    log = opened.use(await openJetStreamKeyLog({ nats: link, replicas: 1, log: silent, registry: new Registry() }));
    far = opened.use(await openJetStreamKeyLog({ nats: farLink, replicas: 1, log: farLog, registry }));
  });
  afterEach(() => opened.disposeAsync());

  it("stays live across lost connections and restarts of the server, and delivers each event once", async () => {
    const { received, follower } = collector();
    await far.follow(follower);
    for (let version = 1; version <= 12; version++) {
      if (version % 4 === 2) proxy.cut();
      if (version % 4 === 0) {
        await server.kill();
        await server.restart();
        await link.connected();
      }
      await log.append(keyEvent("a", version));
    }
    await waitFor("all events", () => received.events.length >= 12, DEADLINE_MS);
    expect(received.sequences).to.deep.equal(Array.from({ length: 12 }, (_, i) => i + 1));
    expect([received.epochs.length, received.caughtUp]).to.deep.equal([1, 1]);
    expect(errors).to.deep.equal([]);
  });

  /** The server's current data. */
  const copyData = async () => {
    const copy = join(tempFolder(), "copy");
    await server.stop();
    cpSync(join(server.folder, "jetstream"), copy, { recursive: true });
    await server.restart();
    return copy;
  };
  const putBack = async (copy: string) => {
    await server.stop();
    rmSync(join(server.folder, "jetstream"), { recursive: true });
    cpSync(copy, join(server.folder, "jetstream"), { recursive: true });
    await server.restart();
    await link.connected();
  };
  const newLog = async () => {
    const jetStream = await (await link.connected()).jetStream(DEADLINE_MS);
    if (await jetStream.findStream("KEYS")) await jetStream.deleteStream("KEYS");
    await jetStream.declareStream(newKeyStreamSettings(1));
  };

  it("keeps its state if it lost its last events and reused their sequences, until a person decides", async () => {
    const { received, follower } = collector();
    await log.append(keyEvent("a", 1));
    await log.append(keyEvent("b", 1));
    const backup = await copyData();
    await far.follow(follower);
    await link.connected();
    await log.append(keyEvent("a", 2));
    await log.append(keyEvent("b", 2));
    await waitFor("all events", () => received.events.length === 4, DEADLINE_MS);

    proxy.blackhole();
    await putBack(backup);
    for (const event of [keyEvent("c", 1), keyEvent("c", 2), keyEvent("c", 3)]) await log.append(event);
    proxy.open();
    await waitFor("the loss", async () => (await count("geolookup_key_log_lost")) === 1, DEADLINE_MS);
    expect(errors.map(({ msg }) => msg)).to.deep.equal([
      "key log lost events; keys can't be changed, and no key is called unknown",
    ]);
    expect(errors[0]).to.have.property("reason", "its message 4 is not the one that was received");
    const refusal = await rejection(far.append(keyEvent("d", 1)));
    expect(refusal).to.include({ code: "unavailable" });
    expect(refusal.message).to.match(/\.\/geolookup restore.*keys log --new/);
    expect(far.lacking()).to.be.a("string");
    expect([keyIds(received.events), received.epochs.length]).to.deep.equal(["a1 b1 a2 b2", 1]);

    await newLog();
    await waitFor("the new log", () => received.caughtUp === 1 && received.epochs.length === 2, DEADLINE_MS);
    expect(received.events).to.deep.equal([]);
    await far.append(keyEvent("d", 1));
    expect([await count("geolookup_key_log_lost"), await count("geolookup_key_log_rereads_total")]).to.deep.equal([
      0, 1,
    ]);
  });

  it("waits for a server that is behind, without a word of a loss", async () => {
    const { received, follower } = collector();
    await log.append(keyEvent("a", 1));
    const behind = await copyData();
    await link.connected();
    await log.append(keyEvent("a", 2));
    await far.follow(follower);
    const whole = await copyData();
    await putBack(behind);
    await waitFor("the server to be seen behind", () => far.lacking() !== undefined, DEADLINE_MS);
    await putBack(whole);
    await waitFor("the whole log", () => far.lacking() === undefined, DEADLINE_MS);
    await log.append(keyEvent("a", 3));
    await waitFor("the next event", () => received.events.length === 3, DEADLINE_MS);
    expect([received.epochs.length, received.caughtUp]).to.deep.equal([1, 1]);
    expect(errors).to.deep.equal([]);
    expect(await count("geolookup_key_log_lost")).to.equal(0);
  });

  it("uses the epoch that another follower set", async () => {
    const [first, second] = [collector(), collector()];
    await log.append(keyEvent("a", 1));
    await far.follow(first.follower);
    await log.follow(second.follower);
    const jetStream = await (await link.connected()).jetStream(DEADLINE_MS);
    await jetStream.updateStream("KEYS", { description: "geolookup key log, epoch of-another" });
    for (const { received } of [first, second]) {
      await waitFor("the new epoch", () => received.epoch === "of-another" && received.caughtUp === 1, DEADLINE_MS);
      expect(keyIds(received.events)).to.equal("a1");
    }
  });

  it("isn't read, and created by no one, while its check says that it lacks events", async () => {
    const jetStream = await (await link.connected()).jetStream(DEADLINE_MS);
    await jetStream.deleteStream("KEYS");
    let lacking: string | undefined = "a mark";
    const options = { nats: link, replicas: 1, check: async () => lacking, log: silent, registry: new Registry() };
    const checked = opened.use(await openJetStreamKeyLog(options));
    const { received, follower } = collector();
    const following = checked.follow(follower);
    await waitFor("the loss to be noticed", () => checked.lacking() === "a mark", DEADLINE_MS);
    expect([await jetStream.findStream("KEYS"), received.epochs]).to.deep.equal([undefined, []]);
    lacking = undefined;
    await newLog();
    await following;
    expect(received.caughtUp).to.equal(1);
  });

  it("rejects an append in time when NATS is slow, even for a key with many events", async () => {
    for (let version = 1; version <= 30; version++) await log.append(keyEvent("a", version));
    const connection = await link.connected();
    const slow: NatsConnection = {
      ...connection,
      jetStream: async (timeoutMs) => {
        const jetStream = await connection.jetStream(timeoutMs);
        return {
          ...jetStream,
          findMessage: (stream, query) => delay(150).then(() => jetStream.findMessage(stream, query)),
        };
      },
    };
    const slowLink = { ...link, connected: async () => slow };
    const append = async (version: number) =>
      expect(await rejection(appendKeyEvent(slowLink, keyEvent("a", version)))).to.include({ code: "unavailable" });
    // Both have to search all events for their id.
    const limitMs = await refusalMs(link);
    for (const version of [3, 1]) expect(await endsBefore(limitMs, () => append(version))).to.equal(true);
  });

  describe("while NATS is down, rejects appends clearly and in time:", () => {
    let limitMs: number;
    const refusedSoon = async (): Promise<void> => {
      for (const event of [keyEvent("a", 2), keyEvent("b", 1)]) {
        let error: unknown;
        const append = async () => {
          error = await rejection(far.append(event));
        };
        expect(await endsBefore(limitMs, append)).to.equal(true);
        expect(error).to.include({ code: "unavailable" });
        expect((error as Error).message).to.match(/^the key log is unavailable: /);
      }
    };
    beforeEach(async () => {
      await log.append(keyEvent("a", 1));
      limitMs = await refusalMs(farLink);
    });

    it("killed", async () => {
      await server.kill();
      await refusedSoon();
      await server.restart();
      await farLink.connected();
      await link.connected();
      expect(await far.append(keyEvent("a", 2))).to.equal(2);
    });

    it("stopped", async () => {
      await server.kill("SIGSTOP");
      await refusedSoon();
      await server.kill("SIGCONT");
    });

    it("black-holed; an event in flight is stored once, even if another client retries it", async () => {
      const event = keyEvent("a", 2);
      proxy.blackhole();
      const first = rejection(far.append(event));
      await refusedSoon();
      expect(await first).to.include({ code: "unavailable" });
      proxy.open();
      await waitFor("the link", () => farLink.isUp(), DEADLINE_MS);
      const sequences = await Promise.allSettled([far.append(event), log.append(event), far.append(event)]);
      const [sequence] = sequences.map((result) => (result.status === "fulfilled" ? result.value : result.reason));
      expect(sequence).to.be.a("number");
      const stored = await log.eventsOf("a");
      const rival = await rejection(far.append(keyEvent("a", 2)));
      expect(rival).to.be.instanceOf(VersionConflict);
      expect(stored.filter(({ id }) => id === event.id)).to.have.length(1);
      expect(stored.map(({ version }) => version)).to.deep.equal([1, 2]);
    });
  });
});
