import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, setUpNats, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { KeyFollower, KeyLog } from "../../../domain/key-event.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { keyEvent } from "../key-log.suite.ts";
import { openJetStreamKeyFeed } from "./feed.ts";
import { openJetStreamKeyLog } from "./key-log.ts";
import { newKeyStreamSettings } from "./stream.ts";

const DEADLINE_MS = 10_000;
/** How soon a gateway must notice that it receives no events. */
const SILENCE_MS = 4_000;
const silent = pino({ level: "silent" });

describe("the key feed on JetStream", () => {
  let opened: AsyncDisposableStack;
  let server: NatsServer;
  let proxy: TcpProxy;
  let writerLink: NatsLink;
  let feedLink: NatsLink;
  let following: AsyncDisposable | undefined;
  let completions: { sequence: number; ageMs: number }[];
  let received: string[];
  let lines: string[];
  let registry: Registry;

  const openLog = (): Promise<KeyLog> =>
    openJetStreamKeyLog({ nats: writerLink, replicas: 1, log: silent, registry: new Registry() });
  /** Follows through the proxy, and records what it receives; epochs are numbered. */
  const follow = () => {
    const epochs: string[] = [];
    const number = (epoch: string) => {
      if (!epochs.includes(epoch)) epochs.push(epoch);
      return epochs.indexOf(epoch) + 1;
    };
    const follower: KeyFollower = {
      event: (event, { epoch, sequence }) =>
        received.push(`${event.keyId} v${event.version} at ${number(epoch)}/${sequence}`),
      reset: (epoch, sequence) => received.push(`reset ${number(epoch)}/${sequence}`),
      live: (isLive) => received.push(isLive ? "live" : "silent"),
      complete: (sequence, ageMs) => completions.push({ sequence, ageMs }),
    };
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    following = openJetStreamKeyFeed({ nats: feedLink, log, registry }).follow(follower);
  };
  const seen = (last: string, deadlineMs = DEADLINE_MS) =>
    waitFor(`"${last}" after ${JSON.stringify(received)}`, () => received.at(-1) === last, deadlineMs);

  beforeEach(async () => {
    received = [];
    completions = [];
    lines = [];
    registry = new Registry();
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
    proxy = opened.use(await startTcpProxy(server.port));
    writerLink = opened.use(openNats({ url: server.url, name: "writer", log: silent }));
    feedLink = opened.use(openNats({ url: `nats://127.0.0.1:${proxy.port}`, name: "feed", log: silent }));
  });
  afterEach(async () => {
    await following?.[Symbol.asyncDispose]();
    following = undefined;
    await opened.disposeAsync();
  });

  it("waits for the stream, then delivers every new event", async () => {
    await (await (await writerLink.connected()).jetStream(DEADLINE_MS)).deleteStream("KEYS");
    follow();
    await waitFor("a log line about the missing stream", () => lines.length > 0, DEADLINE_MS);
    expect(lines.join("")).to.include("./geolookup nats-setup");
    await setUpNats(server.url);
    const log = await openLog();
    await seen("live");
    await log.append(keyEvent("a", 1));
    await log.append(keyEvent("b", 1));
    await seen("b v1 at 1/2");
    expect(received).to.deep.equal(["reset 1/0", "live", "a v1 at 1/1", "b v1 at 1/2"]);
  });

  it("starts at the end of the log, and reports the position", async () => {
    const log = await openLog();
    await log.append(keyEvent("a", 1));
    await log.append(keyEvent("a", 2));
    follow();
    await seen("live");
    await log.append(keyEvent("a", 3));
    await seen("a v3 at 1/3");
    expect(received).to.deep.equal(["reset 1/2", "live", "a v3 at 1/3"]);
  });

  it("misses nothing across a restart of the server", async () => {
    const log = await openLog();
    follow();
    await seen("live");
    await log.append(keyEvent("a", 1));
    await seen("a v1 at 1/1");
    await server.kill();
    await seen("silent", SILENCE_MS);
    await server.restart();
    await writerLink.connected();
    await log.append(keyEvent("a", 2));
    await waitFor("all", () => received.includes("a v2 at 1/2") && received.at(-1) !== "silent", DEADLINE_MS);
    expect(received.filter((text) => !["live", "silent"].includes(text))).to.deep.equal([
      "reset 1/0",
      "a v1 at 1/1",
      "a v2 at 1/2",
    ]);
  });

  it("detects a black-holed connection, reconnects and catches up", async () => {
    const log = await openLog();
    follow();
    await seen("live");
    proxy.blackhole();
    await log.append(keyEvent("a", 1));
    await seen("silent", SILENCE_MS);
    await log.append(keyEvent("a", 2));
    proxy.open();
    await seen("live");
    expect(received).to.deep.equal(["reset 1/0", "live", "silent", "a v1 at 1/1", "a v2 at 1/2", "live"]);
  });

  it("reports every second that it has every event, but not while its server is black-holed", async () => {
    const log = await openLog();
    follow();
    await seen("live");
    await log.append(keyEvent("a", 1));
    const complete = () => completions.filter(({ sequence }) => sequence === 1);
    await waitFor("two reports", () => complete().length >= 2, DEADLINE_MS);
    proxy.blackhole();
    await seen("silent", SILENCE_MS);
    const reported = complete().length;
    const lostMs = (await registry.getSingleMetric("geolookup_key_log_age_seconds")?.get())?.values[0]?.value;
    expect(lostMs).to.be.at.least(1);
    proxy.open();
    await waitFor("another report", () => complete().length > reported, DEADLINE_MS);
    for (const { ageMs } of completions) expect(ageMs).to.be.within(0, 1_000);
  });

  it("is not reset by a lost and recreated stream, only by one that a person decided on", async () => {
    const log = await openLog();
    follow();
    await seen("live");
    await log.append(keyEvent("a", 1));
    await seen("a v1 at 1/1");
    const { streams } = await jetstreamManager((await writerLink.connected()).raw);
    await streams.delete("KEYS");
    await seen("silent", SILENCE_MS);
    await setUpNats(server.url);
    const again = await openLog();
    await again.append(keyEvent("b", 1));
    await waitFor(
      "a line about it",
      () => lines.some((line) => line.includes("not the one that was received")),
      DEADLINE_MS,
    );
    expect(received).to.deep.equal(["reset 1/0", "live", "a v1 at 1/1", "silent"]);
    await streams.delete("KEYS");
    await (await (await writerLink.connected()).jetStream(DEADLINE_MS)).declareStream(newKeyStreamSettings(1));
    await waitFor("the new log", () => received.includes("reset 2/0") && received.at(-1) === "live", DEADLINE_MS);
    await (await openLog()).append(keyEvent("c", 1));
    await seen("c v1 at 2/1");
    expect(lines.join("")).to.include("cached authorizations discarded");
  });

  it("sets garbage aside and continues", async () => {
    const log = await openLog();
    follow();
    await seen("live");
    const client = jetstream((await writerLink.connected()).raw);
    await client.publish("keys.a", "81.2.69.142");
    await log.append(keyEvent("a", 1));
    await seen("a v1 at 1/2");
    expect(received).to.deep.equal(["reset 1/0", "live", "a v1 at 1/2"]);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include("set aside").and.not.include("81.2.69");
    const counted = await registry.getSingleMetric("geolookup_key_log_messages_set_aside_total")?.get();
    expect(counted?.values).to.deep.equal([{ value: 1, labels: {} }]);
  });
});
