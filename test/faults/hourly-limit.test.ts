import { expect } from "chai";
import { freshIpv4, freshIpv6Prefix } from "../harness/addresses.ts";
import type { ClusterAdmin } from "../harness/cluster-admin.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import type { ClusterParts } from "../harness/cluster-parts.ts";
import { onRedis } from "../harness/cluster-redis.ts";
import { countedAlone, itCounts } from "../harness/counting.ts";
import type { LoadKey } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

const LIMIT = 60;

onBusyCluster("the hourly limit with two gateways and a failing Redis", { isShared: true }, (busy) => {
  let cluster: ClusterParts;
  let admin: ClusterAdmin;
  let known: LoadKey;
  before(() => {
    ({ cluster, admin, known } = busy());
  });

  /** Sends that many requests of one address at once, to the gateways in turn. @returns how many got 200. */
  const burst = async (from: string, count: number, urls: readonly string[], key?: LoadKey) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        sendFrom(urls[index % urls.length] ?? "", from, key && keyed(key.key)),
      ),
    );
    for (const { status } of responses) expect(status).to.be.oneOf([200, 429]);
    return responses.filter(({ status }) => status === 200).length;
  };

  const gateways = () => ({ opsUrls: cluster.ofKind("gateway").flatMap(({ opsUrl }) => opsUrl ?? []) });

  for (const [what, address] of [
    ["an IPv4 address", freshIpv4],
    ["an IPv6 /64", () => `${freshIpv6Prefix()}::1`],
  ] as const)
    itCounts(`100 concurrent clients behind ${what}: exactly 60 succeed`, gateways, async () => {
      const from = address();
      expect(await burst(from, 100, cluster.gatewayUrls)).to.equal(LIMIT);
      expect(await burst(from, 20, cluster.gatewayUrls), "after the fault").to.equal(0);
    });

  it("one gateway and Redis killed half-way: 60 in the hour, across the failure and the recovery", async function () {
    this.timeout(60_000);
    const [first = "", second = ""] = cluster.gatewayUrls;
    const serve = async (count: number, urls: readonly string[], served: Map<string, number>) => {
      const one = async ([from, before]: [string, number]) =>
        served.set(from, before + (await burst(from, count, urls)));
      await Promise.all(Array.from(served, one));
    };
    // Counts that only the killed gateway and Redis had are lost, so the surviving one must know them. On a busy machine, it may
    // decide before Redis responds.
    const served = await waitFor(
      "a surviving gateway that knows every count",
      async () => {
        const counts = new Map(Array.from({ length: 5 }, () => [freshIpv4(), 0]));
        await serve(29, [first, second], counts);
        const last = await Promise.all(Array.from(counts.keys(), (from) => sendFrom(first, from)));
        for (const from of counts.keys()) counts.set(from, 30);
        return last.every(({ headers }) => headers["x-ratelimit-remaining"] === "30") && counts;
      },
      10_000,
    );
    await Promise.all([cluster.part("gateway-2").kill(), cluster.part("redis").kill()]);
    await serve(20, [first], served);
    expect([...served.values()]).to.deep.equal([50, 50, 50, 50, 50]);

    await Promise.all([cluster.part("redis").start(), cluster.part("gateway-2").start()]);
    await expectRecovered(cluster, admin, known);
    const aloneBefore = await countedAlone(gateways());
    await serve(50, [first, second], served);
    // None unless Redis responds late, as on a machine that stalls.
    const alone = (await countedAlone(gateways())) - aloneBefore;
    for (const count of served.values()) expect(count, "in the whole hour").to.be.within(LIMIT, LIMIT + alone);
  });

  it("an address that exceeds its limit while Redis is down is refused by every gateway once it is back", async function () {
    this.timeout(60_000);
    const [first = ""] = cluster.gatewayUrls;
    const from = freshIpv4();
    await cluster.part("redis").kill();
    expect(await burst(from, 100, [first])).to.equal(LIMIT);
    await cluster.part("redis").start();
    await expectRecovered(cluster, admin, known);
    expect(await burst(from, 30, cluster.gatewayUrls)).to.equal(0);
  });

  itCounts("Redis FLUSHALL: no 5xx, and the gateways restore their counts", gateways, async () => {
    const from = freshIpv4();
    const [first = "", second = ""] = cluster.gatewayUrls;
    expect(await burst(from, 40, [second])).to.equal(40);
    expect(await burst(from, 1, [first])).to.equal(1);
    await onRedis(cluster.part("redis"), (client) => client.flushAll());
    expect(await burst(from, 1, [first]), "the one that raises the count").to.equal(1);
    expect(await burst(from, 60, [first, second])).to.equal(LIMIT - 42);
  });

  describe("for each caller of a key", () => {
    /** The limit of the plan `widget`. */
    const PER_CALLER = 20;
    const SOME_CALLERS = 5;

    /** Grows by one with every script that grants something, but not with probes. */
    const grantingScripts = () =>
      onRedis(cluster.part("redis"), async (client) => {
        const stats = String(await client.info("commandstats"));
        const calls = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
        return calls("get") - calls("set");
      });

    itCounts("100 concurrent requests to two gateways: exactly 20 succeed", gateways, async () => {
      const [key, other] = [await admin.issueKey("widget"), await admin.issueKey("widget")];
      const from = freshIpv4();
      expect(await burst(from, 100, cluster.gatewayUrls, key)).to.equal(PER_CALLER);
      expect(await burst(from, 40, cluster.gatewayUrls, key), "after the fault").to.equal(0);
      expect(await burst(from, 100, cluster.gatewayUrls, other), "with another key").to.equal(PER_CALLER);
      expect(await burst(freshIpv4(), 100, cluster.gatewayUrls, key), "another caller").to.equal(PER_CALLER);
    });

    it("a plan without such limits doesn't use Redis", async () => {
      const [unlimited, paced, limited] = await Promise.all(
        ["paid", "paced", "widget"].map((plan) => admin.issueKey(plan)),
      );
      const before = await grantingScripts();
      expect(await burst(freshIpv4(), 100, cluster.gatewayUrls, unlimited)).to.equal(100);
      expect(await burst(freshIpv4(), 30, cluster.gatewayUrls, paced)).to.be.at.least(10);
      expect(await grantingScripts()).to.equal(before);
      for (let index = 0; index < SOME_CALLERS; index += 1)
        expect(await burst(freshIpv4(), 1, cluster.gatewayUrls, limited)).to.equal(1);
      expect(await grantingScripts()).to.equal(before + SOME_CALLERS);
    });

    it("Redis killed: each gateway falls back to its own counts, 20 in the hour across the failure and the recovery", async function () {
      this.timeout(60_000);
      const [first = "", second = ""] = cluster.gatewayUrls;
      const key = await admin.issueKey("widget");
      const [from, unseen] = [freshIpv4(), freshIpv4()];
      for (const url of cluster.gatewayUrls) expect(await burst(freshIpv4(), 1, [url], key)).to.equal(1);
      expect(await burst(from, 8, [first, second], key)).to.equal(8);
      await cluster.part("redis").kill();
      expect(await burst(from, 50, [first], key)).to.be.within(PER_CALLER - 8, PER_CALLER - 4);
      for (const url of cluster.gatewayUrls)
        expect(await burst(unseen, 50, [url], key), "at most the limit at each gateway").to.equal(PER_CALLER);
      await cluster.part("redis").start();
      await expectRecovered(cluster, admin, known);
      expect(await burst(from, 50, [first, second], key)).to.equal(0);
      expect(await burst(unseen, 50, [first, second], key)).to.equal(0);
    });
  });
});
