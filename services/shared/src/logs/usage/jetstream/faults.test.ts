import { cpSync, rmSync } from "node:fs";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { endsBefore } from "../../../../../../test/harness/ends-before.ts";
import { type NatsServer, startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { UsageLog } from "../../../domain/usage.ts";
import { createUsageFold, type UsageFold } from "../../../domain/usage-fold.ts";
import { shardOf } from "../../../domain/usage-shard.ts";
import { type NatsLink, openNats } from "../../../runtime/nats/connection.ts";
import { openJetStreamUsageLog } from "./usage-log.ts";

const quiet = pino({ level: "silent" });
const DEADLINE_MS = 10_000;
/** How long a publish waits for NATS (stream.ts). */
const REQUEST_TIMEOUT_MS = 2_000;
const subject = { day: "2026-05-02", instanceId: "boot1", shard: shardOf("k") };

describe("the usage log on JetStream, when NATS fails", () => {
  let opened: AsyncDisposableStack;
  let server: NatsServer;
  let nats: NatsLink;
  let lines: string[];
  let log: UsageLog;
  let fold: UsageFold;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
    lines = [];
    nats = opened.use(openNats({ url: server.url, name: "test", log: quiet }));
    const recording = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    log = opened.use(openJetStreamUsageLog({ nats, replicas: 1, log: recording, registry: new Registry() }));
    fold = createUsageFold();
  });
  afterEach(async () => {
    await server.kill("SIGCONT");
    await opened.disposeAsync();
  });

  const publish = (count: number, instanceId = "boot1") =>
    log.publish({ ...subject, instanceId }, new Map([["k", count]]));
  const publishAtLast = (count: number) =>
    waitFor("a publish to succeed", async () => (await publish(count)) > 0, DEADLINE_MS);
  const reaches = (total: number) =>
    waitFor(`a total of ${total}`, () => fold.total("k", "2026-05") === total, DEADLINE_MS);
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  it("without NATS, opens and rejects publishes immediately; follows and publishes once NATS is up", async () => {
    await nats.connected();
    await server.stop();
    await waitFor("the loss", () => !nats.isUp(), DEADLINE_MS);
    const refused = async () => expect(await failureOf(publish(1))).to.include({ code: "unavailable" });
    expect(await endsBefore(REQUEST_TIMEOUT_MS, refused)).to.equal(true);
    const following = log.follow(fold.apply);
    await server.restart();
    await following;
    await publishAtLast(2);
    await reaches(2);
  });

  it("times out on an unresponsive server, and publishes the larger counts when it responds again", async () => {
    await log.follow(fold.apply);
    await publish(1);
    await server.kill("SIGSTOP");
    // The signal takes effect a moment later: some publishes may still succeed.
    let count = 1;
    let failure: unknown = null;
    while (failure === null) {
      count += 1;
      failure = await failureOf(publish(count));
    }
    expect(failure).to.be.instanceOf(Error);
    expect(await failureOf(publish(count + 1))).to.be.instanceOf(Error);
    await server.kill("SIGCONT");
    await publishAtLast(count + 2);
    await reaches(count + 2);
    expect(await publish(count)).to.equal(await publish(count + 2));
  });

  it("rereads and logs it when the server lost its last messages; the writer stores them again", async () => {
    await log.follow(fold.apply);
    await publish(1);
    await publish(2, "boot2");
    await reaches(3);
    await server.stop();
    const copy = `${server.folder}-copy`;
    cpSync(server.folder, copy, { recursive: true });
    await server.restart();
    await publishAtLast(5);
    await publish(6, "boot2");
    await reaches(11);
    // The disk loses unsynced writes, as after a power failure.
    await server.stop();
    rmSync(server.folder, { recursive: true });
    cpSync(copy, server.folder, { recursive: true });
    rmSync(copy, { recursive: true });
    await server.restart();
    await waitFor("the loss to be noticed", () => lines.some((line) => line.includes("lost its last")), DEADLINE_MS);
    await publishAtLast(5);
    const reread = createUsageFold();
    await using _following = await log.follow(reread.apply);
    expect(reread.total("k", "2026-05")).to.equal(7);
  });
});
