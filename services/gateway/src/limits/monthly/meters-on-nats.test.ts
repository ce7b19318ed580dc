import { join } from "node:path";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { startTcpProxy } from "../../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { Meter, MeteredKey } from "./meter.ts";
import { connectUsage } from "./peer-queries.ts";
import { createUsageFolders, quiet, recorded } from "./testing/usage-folders.ts";
import { openClusterMeter, startUsageService } from "./testing/usage-on-nats.ts";

const DEADLINE_MS = 10_000;

describe("meters in a cluster", function () {
  this.timeout(60_000);
  let server: NatsServer;
  let usage: Awaited<ReturnType<typeof startUsageService>>;
  let now: number;
  let folders: ReturnType<typeof createUsageFolders>;
  let opened: AsyncDisposableStack;
  let meters = 0;
  beforeEach(async () => {
    now = Date.parse("2026-05-02T12:00:00Z");
    folders = createUsageFolders();
    opened = new AsyncDisposableStack();
    opened.defer(folders.remove);
    server = opened.use(await startNatsServer());
    usage = opened.use(await startUsageService(server.url));
  });
  afterEach(() => opened.disposeAsync());
  /** Opens a gateway's meter; in a new folder unless it is given one. */
  const open = async (options: Partial<Parameters<typeof openClusterMeter>[0]> = {}) => {
    meters += 1;
    return opened.use(
      await openClusterMeter({
        natsUrl: server.url,
        usageTarget: usage.target,
        clock: () => now,
        journals: join(folders.root, `journals${meters}`),
        ...options,
      }),
    );
  };
  /** Admits and counts a request, if the quota allows. */
  const request = async (meter: Meter, quota: number, keyId = "key1", shared: Pick<MeteredKey, "quota"> = {}) => {
    const admission = await meter.admit({ keyId, monthlyRequests: quota, ...shared });
    if (admission.admitted) await admission.count();
    return admission.admitted;
  };
  /** Waits until a meter knows that this much is used up. */
  const refuses = (meter: Meter, quota: number) =>
    waitFor(
      `a refusal at ${quota}`,
      async () => {
        const admission = await meter.admit({ keyId: "key1", monthlyRequests: quota });
        if (admission.admitted) admission.release();
        return !admission.admitted;
      },
      DEADLINE_MS,
    );
  const booked = async (month = "2026-05", keyId = "key1") => {
    await using nats = openNats({ url: server.url, name: "test", log: quiet });
    await using log = openJetStreamUsageLog({ nats, replicas: 1, log: quiet, registry: new Registry() });
    const { total } = await recorded(log, keyId, month);
    return total;
  };

  it("share their counts within a flush and a refresh", async () => {
    const [first, second] = [await open(), await open()];
    for (let count = 0; count < 30; count++) await request(first, 50);
    await request(second, 50);
    await refuses(second, 31);
    expect(await request(second, 32)).to.equal(true);
  });

  it("share the quota of keys of one customer, exactly once each knows the other's counts", async () => {
    const options = { flushIntervalMs: 50, refreshIntervalMs: 50 };
    const [first, second] = [await open(options), await open(options)];
    const shared = { quota: { id: "customer_acme", monthlyRequests: 50 } };
    for (let count = 0; count < 30; count++) expect(await request(first, 1, `key${count % 3}`, shared)).to.equal(true);
    expect(await request(second, 1, "key3", shared), "its first request waits for the counts of peers").to.equal(true);
    const remaining = async (meter: Meter, keyId: string) => {
      const admission = await meter.admit({ keyId, monthlyRequests: 1, ...shared });
      if (!admission.admitted) return -1;
      admission.release();
      return admission.remaining;
    };
    for (const [meter, keyId] of [
      [first, "key4"],
      [second, "key0"],
    ] as const)
      await waitFor("the other's counts", async () => (await remaining(meter, keyId)) === 18, DEADLINE_MS);
    // At most what the other gateway admits within a flush and a refresh: nothing here.
    let admitted = 0;
    for (let count = 0; count < 100; count++) if (await request(second, 1, `key${count % 5}`, shared)) admitted += 1;
    expect(admitted).to.equal(19);
    await waitFor("the refusal by the first", async () => (await remaining(first, "key1")) === -1, DEADLINE_MS);
    expect(await request(first, 1, "key0"), "a key of the same name with a quota of its own").to.equal(true);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    const ofKeys = await Promise.all([0, 1, 2, 3, 4].map((key) => booked("2026-05", `key${key}`)));
    expect(ofKeys.reduce((sum, count) => sum + count, 0)).to.equal(50 + 1);
  });

  it("know what was used before they started, however slowly they connect", async () => {
    const first = await open();
    for (let each = 0; each < 5; each += 1) expect(await request(first, 5)).to.equal(true);
    await first[Symbol.asyncDispose]();
    const proxy = opened.use(await startTcpProxy(usage.port));
    proxy.blackhole();
    const opening = open({ usageTarget: `127.0.0.1:${proxy.port}` });
    // Longer than a request waits for peer usage.
    setTimeout(() => proxy.open(), 500);
    expect(await request(await opening, 5)).to.equal(false);
  });

  it("learn peer usage without serving requests themselves", async () => {
    const [first, second] = [await open(), await open({ refreshIntervalMs: 50 })];
    expect(await request(second, 50)).to.equal(true);
    for (let count = 0; count < 49; count++) expect(await request(first, 50)).to.equal(true);
    const client = connectUsage({ target: usage.target, instanceId: "neither" });
    await waitFor(
      "usage to have it",
      async () => (await client.totals("2026-05", ["key1"], 0)).totals[0] === 50,
      DEADLINE_MS,
    );
    client[Symbol.dispose]();
    await refuses(second, 50);
    const burst = await Promise.all(Array.from({ length: 50 }, () => request(second, 50)));
    expect(burst).to.not.include(true);
  });

  it("use either of two usage nodes, and survive the loss of one", async () => {
    await using another = await startUsageService(server.url);
    const usageTarget = `ipv4:${usage.target},${another.target}`;
    const options = { usageTarget, flushIntervalMs: 50, refreshIntervalMs: 50 };
    const [first, second] = [await open(options), await open(options)];
    const serve = async (meter: Meter, requests: number) => {
      for (let count = 0; count < requests; count++) expect(await request(meter, 10_000)).to.equal(true);
    };
    await serve(second, 1);
    await serve(first, 30);
    await refuses(second, 31);
    another.kill("SIGKILL");
    await serve(first, 20);
    await refuses(second, 51);
    expect(await request(second, 52)).to.equal(true);
  });

  it("use the last known totals while usage is down, and catch up when it is back", async () => {
    const [first, second] = [await open(), await open()];
    for (let count = 0; count < 10; count++) await request(first, 100);
    await request(second, 100);
    await refuses(second, 11);
    usage.kill("SIGKILL");
    for (let count = 0; count < 20; count++) expect(await request(second, 100)).to.equal(true);
    expect(await request(second, 31)).to.equal(false);
    expect(await request(second, 100, "key2")).to.equal(true);
    for (let count = 0; count < 40; count++) await request(first, 100);
    usage = opened.use(await startUsageService(server.url, usage.port));
    await refuses(second, 71);
    expect(await request(second, 72)).to.equal(true);
  });

  it("start and count without NATS, and publish everything when it is back", async () => {
    await server.stop();
    const meter = await open(folders);
    for (let count = 0; count < 25; count++) await request(meter, 100);
    await meter[Symbol.asyncDispose]();
    const next = await open(folders);
    expect(await request(next, 25)).to.equal(false);
    expect(await request(next, 26)).to.equal(true);
    await server.restart();
    await waitFor("every request to be counted", async () => (await booked()) === 26, DEADLINE_MS);
    await waitFor("the recovered journal to be deleted", () => folders.journalFiles().length === 1, DEADLINE_MS);
    await next[Symbol.asyncDispose]();
    expect(folders.journalFiles()).to.deep.equal([]);
  });
});
