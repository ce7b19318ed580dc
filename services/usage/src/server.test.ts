import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { MonthLog, UsageLog } from "@geolookup/shared/domain/usage.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import type { GetMonthRequest } from "@geolookup/shared/generated/geolookup/usage/v1/GetMonthRequest.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { startUsage } from "./server.ts";

const TOKEN = "an-admin-token-for-tests";
const DEADLINE_MS = 5_000;

describe("the usage service", () => {
  let folder: string;
  let log: UsageLog & MonthLog;
  let refusals: UsageLog;
  const opened = new AsyncDisposableStack();
  let service: Awaited<ReturnType<typeof startUsage>>;
  let client: ReturnType<typeof openClient>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "geolookup-usage-"));
    opened.defer(() => rmSync(folder, { recursive: true }));
    log = opened.use(await openFileUsageLog({ folder: join(folder, "usage-log"), log: pino({ level: "silent" }) }));
    await publish("2026-05-02", "boot1", 3);
    await publish("2026-05-02", "boot2", 4);
    await publish("2026-05-10", "boot2", 5);
    await publish("2026-06-01", "boot2", 100);
    const acme = { day: "2026-05-10", instanceId: "boot1", shard: shardOf("customer_acme") };
    await log.publish(
      acme,
      new Map([
        ["customer_acme/key1", 2],
        ["customer_acme/key9", 30],
      ]),
    );
    refusals = opened.use(
      await openFileUsageLog({ folder: join(folder, "refusal-log"), log: pino({ level: "silent" }) }),
    );
    for (const [day, instanceId, name, count] of [
      ["2026-05-02", "boot8", "key1 rate_limited", 3],
      ["2026-05-02", "boot8", "key1 rate_limited", 3],
      ["2026-05-02", "boot9", "key1 rate_limited", 4],
      ["2026-05-03", "boot9", "key1 rate_limited", 1],
      ["2026-05-03", "boot9", "key1 quota_exceeded", 20],
      ["2026-05-03", "boot9", "key10 quota_exceeded", 5],
    ] as const)
      await refusals.publish({ day, instanceId, shard: shardOf(name) }, new Map([[name, count]]));
    await log.publishMonth({ month: "2021-03", shard: shardOf("key1"), totals: new Map([["key1", 77]]) });
    service = opened.use(
      await startUsage({
        host: "127.0.0.1",
        port: 0,
        opsPort: 0,
        logLevel: "error",
        dataDir: folder,
        adminToken: TOKEN,
        stores: "embedded",
        natsUrl: "",
        natsReplicas: 1,
      }),
    );
    client = opened.use(openClient(`127.0.0.1:${service.port}`));
  });
  after(() => opened.disposeAsync());

  const publish = (day: string, instanceId: string, count: number) =>
    log.publish({ day, instanceId, shard: shardOf("key1") }, new Map([["key1", count]]));
  const getMonth = (request: GetMonthRequest, token = TOKEN) =>
    callUnary(client, USAGE.GetMonth, request, { deadlineMs: DEADLINE_MS, token });
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => "no error",
      (error) => (error as ServiceError).code,
    );

  it("returns a key's month by day, summed over instances", async () => {
    expect(await getMonth({ keyId: "key1", month: "2026-05" })).to.deep.equal({
      keyId: "key1",
      month: "2026-05",
      total: 14,
      days: [
        { day: "2026-05-02", requests: 7 },
        { day: "2026-05-10", requests: 7 },
      ],
      refusals: [
        { code: "quota_exceeded", total: 20, days: [{ day: "2026-05-03", requests: 20 }] },
        {
          ...{ code: "rate_limited", total: 8 },
          days: [
            { day: "2026-05-02", requests: 7 },
            { day: "2026-05-03", requests: 1 },
          ],
        },
      ],
    });
  });

  it("returns what counts toward a quota, by key and by day", async () => {
    const ask = (quotaId: string, month = "2026-05") =>
      callUnary(client, USAGE.GetQuotaMonth, { quotaId, month }, { deadlineMs: DEADLINE_MS, token: TOKEN });
    expect(await ask("customer_acme")).to.deep.equal({
      total: 32,
      days: [{ day: "2026-05-10", requests: 32 }],
      keys: [
        { keyId: "key9", total: 30 },
        { keyId: "key1", total: 2 },
      ],
    });
    expect(await ask("key1")).to.deep.include({ total: 12, keys: [{ keyId: "key1", total: 12 }] });
    expect(await ask("customer_nobody")).to.deep.include({ days: [], keys: [] });
    expect(await codeOf(ask(""))).to.equal("invalid");
    expect(await codeOf(ask("key1", "2026-13"))).to.equal("invalid");
  });

  it("returns the last day on which keys were used, in the order of the request", async () => {
    const ask = (keyIds: string[]) =>
      callUnary(client, USAGE.GetLastUsed, { keyIds }, { deadlineMs: DEADLINE_MS, token: TOKEN });
    const { days } = await ask(["key9", "nobody", "key1"]);
    expect([days[0], days[1]]).to.deep.equal(["2026-05-10", ""]);
    expect(days[2]).to.be.oneOf(["2026-06-01", "2026-07-01"]);
    const many = Array.from({ length: 1_000 }, (_, index) => `key_${String(index).padStart(12, "0")}`);
    expect((await ask(many)).days).to.have.length(1_000);
    expect(await codeOf(ask([...many, "key1"]))).to.equal("invalid");
  });

  it("gives gateways the totals of quotas, without their own counts", async () => {
    const ask = async (instanceId: string) => {
      const request = { instanceId, month: "2026-05", keyIds: ["customer_acme", "key1", "key9"] };
      return (await callUnary(client, TOTALS.GetTotals, request, { deadlineMs: DEADLINE_MS })).totals;
    };
    expect(await ask("another")).to.deep.equal([32, 12, 0]);
    expect(await ask("boot1")).to.deep.equal([0, 9, 0]);
  });

  it("returns the total of a month whose days were dropped", async () => {
    const expected = { keyId: "key1", month: "2021-03", total: 77, days: [], refusals: [] };
    expect(await getMonth({ keyId: "key1", month: "2021-03" })).to.deep.equal(expected);
  });

  it("returns zero for an unknown key", async () => {
    const { total = 0, ...rest } = await getMonth({ keyId: "nobody", month: "2026-05" });
    expect({ total, ...rest }).to.deep.equal({ keyId: "nobody", month: "2026-05", total: 0, days: [], refusals: [] });
  });

  it("follows the log", async () => {
    await publish("2026-07-01", "boot2", 8);
    const deadline = Date.now() + DEADLINE_MS;
    let total: number | undefined;
    while (total !== 8 && Date.now() < deadline) ({ total } = await getMonth({ keyId: "key1", month: "2026-07" }));
    expect(total).to.equal(8);
  });

  it("returns the hours in which a key's counts arrived, without those of the stored log", async () => {
    const hoursOf = (keyId: string) =>
      callUnary(client, USAGE.GetHours, { keyId }, { deadlineMs: DEADLINE_MS, token: TOKEN });
    const startedMs = Date.now();
    const publish = (to: UsageLog, name: string, count: number) =>
      to.publish({ day: "2026-08-01", instanceId: "boot3", shard: shardOf(name) }, new Map([[name, count]]));
    await publish(log, "customer_acme/key5", 2);
    await publish(log, "customer_acme/key5", 6);
    await publish(refusals, "key5 rate_limited", 3);
    const isComplete = async () => {
      const { counts } = await hoursOf("key5");
      return counts.reduce((sum, { requests = 0 }) => sum + requests, 0) === 9 && counts;
    };
    const counts = await waitFor("the counts", isComplete, DEADLINE_MS);
    expect(new Set(counts.map(({ code }) => code))).to.deep.equal(new Set(["ok", "rate_limited"]));
    for (const { startMs = 0 } of counts) expect(startMs).to.be.within(startedMs - 3_600_000, Date.now());
    expect((await hoursOf("key9")).counts).to.deep.equal([]);
    expect((await hoursOf("key9")).sinceMs).to.be.within(startedMs - 600_000, startedMs);
  });

  it("lists the months of a shard's keys", async () => {
    const request = { shard: shardOf("key1"), month: "2026-06" };
    const { keys } = await callUnary(client, USAGE.ListShardMonth, request, {
      deadlineMs: DEADLINE_MS,
      token: TOKEN,
    });
    expect(keys).to.deep.equal([
      { keyId: "key1", month: "2026-06", total: 100, days: [{ day: "2026-06-01", requests: 100 }], refusals: [] },
    ]);
  });

  it("lists the used keys of a shard, in a month or ever, without a token", async () => {
    const used = (month: string, atLeast = 0, shard = shardOf("key1")) =>
      callUnary(client, TOTALS.ListUsedKeys, { shard, month, atLeast }, { deadlineMs: DEADLINE_MS });
    expect(await used("2026-05")).to.deep.equal({ keyIds: ["key1"], totals: [12] });
    expect(await used("2026-05", 12)).to.deep.equal({ keyIds: ["key1"], totals: [12] });
    expect(await used("2026-05", 0, shardOf("customer_acme"))).to.deep.equal({
      keyIds: ["key1", "key9"],
      totals: [2, 30],
    });
    for (const unused of [used("2026-05", 13), used("2026-04"), used("", 0, shardOf("key1") === 0 ? 1 : 0)])
      expect(await unused).to.deep.equal({ keyIds: [], totals: [] });
    expect((await used("")).totals[0]).to.be.at.least(12 + 100 + 77);
    expect(await codeOf(used("2026-13"))).to.equal("invalid");
    expect(await codeOf(used("", 0, 64))).to.equal("invalid");
  });

  const invalid: [what: string, request: GetMonthRequest][] = [
    ["no key", { month: "2026-05" }],
    ["no month", { keyId: "key1" }],
    ["a month in another format", { keyId: "key1", month: "May 2026" }],
    ["a month that doesn't exist", { keyId: "key1", month: "2026-13" }],
    ["a day", { keyId: "key1", month: "2026-05-02" }],
  ];
  for (const [what, request] of invalid)
    it(`refuses ${what} as invalid`, async () => expect(await codeOf(getMonth(request))).to.equal("invalid"));

  it("refuses a wrong token", async () => {
    const request = { keyId: "key1", month: "2026-05" };
    expect(await codeOf(getMonth(request, "another-token-for-tests"))).to.equal("unauthenticated");
    for (const method of Object.values(USAGE))
      expect(await codeOf(callUnary(client, method, request, { deadlineMs: DEADLINE_MS }))).to.equal("unauthenticated");
  });

  describe("for gateways", () => {
    const ask = (instanceId: string, count: number) => {
      const keyIds = Array.from({ length: count }, (_, at) => `key_${String(at).padStart(12, "a")}`);
      const request = { instanceId, month: "2026-05", keyIds };
      return codeOf(callUnary(client, TOTALS.GetTotals, request, { deadlineMs: DEADLINE_MS }));
    };

    it("refuses batches of more than 1,024 keys", async () => {
      expect(await ask("", 1_024)).to.equal("no error");
      expect(await ask("", 1_025)).to.equal("invalid");
      expect(await ask("someone", 1_025)).to.equal("invalid");
    });

    it("serves gateways of version 0.1, which request up to 4,096", async () => {
      expect(await ask("0123456789abcdef", 4_096)).to.equal("no error");
      expect(await ask("0123456789abcdef", 4_097)).to.equal("invalid");
    });

    it("refuses requests for changes that list more than 1,024 nodes", async () => {
      const askFor = (count: number) => {
        const reported = Array.from({ length: count }, (_, at) => ({ nodeId: `${at}`, version: 1 }));
        return codeOf(callUnary(client, TOTALS.GetChanges, { reported }, { deadlineMs: DEADLINE_MS }));
      };
      expect(await askFor(1_024)).to.equal("no error");
      expect(await askFor(1_025)).to.equal("invalid");
    });
  });

  it("reports on its ops port that it is ready", async () => {
    const response = await fetch(`http://127.0.0.1:${service.opsPort}/readyz`);
    expect(response.status).to.equal(200);
  });
});
