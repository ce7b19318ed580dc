import { join } from "node:path";
import { monthsBefore, periodAt } from "@geolookup/shared/domain/period.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { startUsage } from "@geolookup/usage/server.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { runHere } from "../../test/harness/command.ts";
import { startNatsServer } from "../../test/harness/nats-server.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";

const TOKEN = "an-admin-token-for-tests";
const log = pino({ level: "silent" });
const { day, month } = periodAt(Date.now());
const subject = { day, instanceId: "boot1", shard: shardOf("key1") };

describe("usage-verify", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());
  const start = async (stores: { stores: "embedded" | "cluster"; dataDir: string; natsUrl: string }) => {
    const base = {
      host: "127.0.0.1",
      port: 0,
      opsPort: 0,
      logLevel: "error",
      adminToken: TOKEN,
      natsReplicas: 1,
    } as const;
    const service = opened.use(await startUsage({ ...base, ...stores }));
    await service.ready;
    return { USAGE_URL: `127.0.0.1:${service.port}`, ADMIN_TOKEN: TOKEN };
  };
  const verify = (environment: NodeJS.ProcessEnv) => runHere(["usage", "verify"], environment);

  it("finds no difference on NATS, and then counts that the log has lost", async () => {
    const server = opened.use(await startNatsServer());
    const nats = opened.use(openNats({ url: server.url, name: "test", log }));
    await nats.connected();
    const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas: 1, log, registry: new Registry() }));
    await usageLog.publish(subject, new Map([["key1", 7]]));
    const ofSecond = new Map([
      ["key1", 5],
      ["key1/key2", 3],
    ]);
    await usageLog.publish({ ...subject, instanceId: "boot2" }, ofSecond);
    const service = await start({ stores: "cluster", dataDir: "", natsUrl: server.url });
    const environment = { ...service, NATS_URL: server.url };
    expect(await verify(environment)).to.deep.equal({
      status: 0,
      stdout: "2 monthly counts compared: no difference\n",
      stderr: "",
    });
    const manager = await jetstreamManager((await nats.connected()).raw);
    await manager.streams.purge("USAGE", { filter: "usage.*.boot2.*" });
    const { status, stdout } = await verify(environment);
    expect(status).to.equal(1);
    const differences = [`key1  ${day}  log 7  service 12`, `key1/key2  ${day}  log 0  service 3`];
    expect(stdout).to.equal(`${differences.join("\n")}\n2 monthly counts compared: 2 differences\n`);
  });

  it("compares monthly records whose days were dropped", async () => {
    const server = opened.use(await startNatsServer());
    const nats = opened.use(openNats({ url: server.url, name: "test", log }));
    await nats.connected();
    const usageLog = opened.use(openJetStreamUsageLog({ nats, replicas: 1, log, registry: new Registry() }));
    const record = { month: monthsBefore(month, 15), shard: shardOf("key1"), totals: new Map([["key1", 7]]) };
    await usageLog.publish(subject, new Map([["key1", 1]]));
    await usageLog.publishMonth(record);
    const environment = {
      ...(await start({ stores: "cluster", dataDir: "", natsUrl: server.url })),
      NATS_URL: server.url,
    };
    expect(await verify(environment)).to.include({ status: 0, stdout: "2 monthly counts compared: no difference\n" });
    const manager = await jetstreamManager((await nats.connected()).raw);
    await manager.streams.purge("USAGE_MONTHS");
    await usageLog.publishMonth({
      month: monthsBefore(month, 16),
      shard: shardOf("another"),
      totals: new Map([["another", 1]]),
    });
    const { status, stdout } = await verify(environment);
    expect(status).to.equal(1);
    expect(stdout).to.include(`key1  ${record.month}  log 0  service 7\n`);
  });

  it("compares with the log in a folder", async () => {
    const dataDir = tempFolder();
    const usageLog = opened.use(await openFileUsageLog({ folder: join(dataDir, "usage-log"), log }));
    await usageLog.publish(subject, new Map([["key1", 7]]));
    const service = await start({ stores: "embedded", dataDir, natsUrl: "" });
    await usageLog.publish(subject, new Map([["key1", 9]]));
    expect(await verify({ ...service, DATA_DIR: dataDir })).to.include({ status: 0 });
    const { stdout, status } = await verify({ ...service, DATA_DIR: tempFolder() });
    expect(status).to.equal(1);
    expect(stdout).to.include(`key1  ${day}  log 0  service 9`);
  });

  it("says that another service is at USAGE_URL", async () => {
    const other = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, services: [], log }));
    const dataDir = tempFolder();
    opened.use(await openFileUsageLog({ folder: join(dataDir, "usage-log"), log }));
    const target = `127.0.0.1:${other.port}`;
    expect(await verify({ USAGE_URL: target, ADMIN_TOKEN: TOKEN, DATA_DIR: dataDir })).to.deep.equal({
      status: 1,
      stdout: "",
      stderr: `usage: ${target} isn't the usage service, or it is another version of it. Check USAGE_URL\n`,
    });
  });

  it("reports a missing service or usage log", async () => {
    const missing = await verify({ DATA_DIR: tempFolder(), XDG_STATE_HOME: tempFolder() });
    expect(missing.status).to.equal(1);
    expect(missing.stderr).to.include("geolookup is not running");
    const silent = await verify({ USAGE_URL: "127.0.0.1:1", ADMIN_TOKEN: TOKEN, DATA_DIR: tempFolder() });
    expect(silent.status).to.equal(1);
    expect(silent.stderr).to.include("usage: usage isn't running at 127.0.0.1:1. ");
    const server = opened.use(await startNatsServer({ isEmpty: true }));
    const url = server.url.replace("://", "://user:hunter2@");
    const empty = await verify({ USAGE_URL: "127.0.0.1:1", ADMIN_TOKEN: TOKEN, NATS_URL: url });
    expect(empty.stderr).to.include("there is no usage log").and.not.include("hunter2");
  });
});
