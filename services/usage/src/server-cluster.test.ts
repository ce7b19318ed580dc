import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { refusalName, shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { NodeVersion } from "@geolookup/shared/generated/geolookup/usage/v1/NodeVersion.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../test/harness/nats-server.ts";
import { startService } from "../../../test/harness/service.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { startUsage } from "./server.ts";

const TOKEN = "an-admin-token-for-tests";
const DEADLINE_MS = 10_000;

describe("the usage service on NATS", () => {
  let server: NatsServer;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer());
  });
  afterEach(() => opened.disposeAsync());
  const start = async () => {
    const service = opened.use(
      await startUsage({
        host: "127.0.0.1",
        port: 0,
        opsPort: 0,
        logLevel: "error",
        dataDir: "",
        adminToken: TOKEN,
        stores: "cluster",
        natsUrl: server.url,
        natsReplicas: 1,
      }),
    );
    const client = opened.use(openClient(`127.0.0.1:${service.port}`));
    const totals = async (instanceId: string, position = 0) => {
      const request = { instanceId, month: "2026-05", keyIds: ["key1", "nobody"], position };
      return (await callUnary(client, TOTALS.GetTotals, request, { deadlineMs: DEADLINE_MS })).totals;
    };
    const changes = (instanceId: string, reported: NodeVersion[]) =>
      callUnary(client, TOTALS.GetChanges, { instanceId, reported }, { deadlineMs: DEADLINE_MS });
    const month = (keyId: string) =>
      callUnary(client, USAGE.GetMonth, { keyId, month: "2026-05" }, { deadlineMs: DEADLINE_MS, token: TOKEN });
    const isReady = async () => (await fetch(`http://127.0.0.1:${service.opsPort}/readyz`)).status === 200;
    return { ...service, totals, month, changes, isReady };
  };
  const openLog = async () => {
    const log = pino({ level: "silent" });
    const nats = opened.use(openNats({ url: server.url, name: "test", log }));
    await nats.connected();
    return opened.use(openJetStreamUsageLog({ nats, replicas: 1, log, registry: new Registry() }));
  };
  const subject = (instanceId: string) => ({ day: "2026-05-02", instanceId, shard: shardOf("key1") });
  /** Like gateways, retries while JetStream isn't ready. */
  const publish = (usageLog: UsageLog, instanceId: string, count: number) =>
    waitFor("a publish", () => usageLog.publish(subject(instanceId), new Map([["key1", count]])), DEADLINE_MS);

  it("isn't ready and returns no totals until it has read the log, no matter how long NATS takes", async () => {
    const usageLog = await openLog();
    await publish(usageLog, "boot1", 7);
    await server.stop();
    const service = await start();
    expect(await service.isReady()).to.equal(false);
    const failure = await service.totals("boot2").catch((error: ServiceError) => error.code);
    expect(failure).to.equal("unavailable");
    await server.restart();
    await service.ready;
    expect(await service.isReady()).to.equal(true);
    expect(await service.totals("boot2")).to.deep.equal([7, 0]);
  });

  it("returns a key's refused requests apart from what counts toward its quota", async () => {
    const service = await start();
    const usageLog = await openLog();
    await publish(usageLog, "boot1", 7);
    const name = refusalName("key1", "rate_limited");
    for (const [instanceId, count] of [
      ["boot2", 2],
      ["boot2", 3],
      ["boot3", 4],
    ] as const)
      await usageLog.publishRefusals({ ...subject(instanceId), shard: shardOf(name) }, new Map([[name, count]]));
    await service.ready;
    const isComplete = async () => {
      const month = await service.month("key1");
      return month.refusals[0]?.total === 7 && month;
    };
    expect(await waitFor("the refusals", isComplete, DEADLINE_MS)).to.deep.equal({
      ...{ keyId: "key1", month: "2026-05", total: 7, days: [{ day: "2026-05-02", requests: 7 }] },
      refusals: [{ code: "rate_limited", total: 7, days: [{ day: "2026-05-02", requests: 7 }] }],
    });
    expect(await service.totals("boot9")).to.deep.equal([7, 0]);
  });

  it("returns to each gateway what the others counted, from every replica", async () => {
    const replicas = [await start(), await start()];
    const usageLog = await openLog();
    await publish(usageLog, "boot1", 7);
    const position = await publish(usageLog, "boot2", 30);
    for (const replica of replicas) {
      await replica.ready;
      expect(await replica.totals("boot1", position)).to.deep.equal([30, 0]);
      expect(await replica.totals("boot2", position)).to.deep.equal([7, 0]);
      expect(await replica.totals("boot3", position)).to.deep.equal([37, 0]);
    }
  });

  it("returns to each gateway which totals of others grew since its last request", async () => {
    const service = await start();
    const usageLog = await openLog();
    await service.ready;
    const { upTo = {}, isComplete = false } = await service.changes("boot1", []);
    expect(isComplete, "the first request").to.equal(false);
    await publish(usageLog, "boot1", 7);
    const position = await publish(usageLog, "boot2", 30);
    expect(await service.totals("boot3", position)).to.deep.equal([37, 0]);
    const reported = [{ nodeId: "another", version: 1 }, upTo];
    const first = await service.changes("boot1", reported);
    expect(first).to.deep.include({ isComplete: true, position });
    expect(first.months).to.deep.equal([{ month: "2026-05", keyIds: ["key1"], totals: [30] }]);
    expect((await service.changes("boot1", [first.upTo ?? {}])).months).to.deep.equal([]);
    expect((await service.changes("boot2", reported)).months).to.deep.equal([
      { month: "2026-05", keyIds: ["key1"], totals: [7] },
    ]);
  });

  it("serves its last totals while NATS is down, and follows the log again afterwards", async () => {
    const service = await start();
    const usageLog = await openLog();
    const position = await publish(usageLog, "boot1", 7);
    await service.ready;
    expect(await service.totals("boot2", position)).to.deep.equal([7, 0]);
    await server.kill();
    expect(await service.totals("boot2")).to.deep.equal([7, 0]);
    expect(await service.isReady()).to.equal(true);
    await server.restart();
    await publish(usageLog, "boot1", 8);
    await waitFor("the new total", async () => (await service.totals("boot2"))[0] === 8, DEADLINE_MS);
  });

  it("doesn't start on a stream with other settings, and says which differ", async () => {
    const nats = opened.use(openNats({ url: server.url, name: "test", log: pino({ level: "silent" }) }));
    const manager = await jetstreamManager((await nats.connected()).raw);
    await manager.streams.delete("USAGE");
    await manager.streams.add({ name: "USAGE", subjects: ["usage.*.*.*"], max_msgs_per_subject: 5 });
    const usage = startService("usage", { ADMIN_TOKEN: TOKEN, NATS_URL: server.url });
    opened.defer(() => void usage.kill("SIGKILL"));
    expect(await usage.exited).to.equal(1);
    expect(usage.stderr())
      .to.match(/^usage: the NATS stream USAGE .*max_msgs_per_subject is 5 instead of 1/m)
      .and.not.include("    at ");
  });

  it("can be stopped while it waits for NATS", async () => {
    await server.stop();
    const service = await start();
    const ready = service.ready.catch((error: Error) => error);
    await service[Symbol.asyncDispose]();
    expect(await ready).to.be.instanceOf(Error);
  });
});
