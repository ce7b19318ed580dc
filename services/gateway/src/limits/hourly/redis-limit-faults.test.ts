import { expect } from "chai";
import { HOUR_MS } from "./hourly-limit.ts";
import { admittedOf, burst, redisFixture, untilRedisCounts } from "./testing/redis-gateways.ts";

const IP = "192.0.2.7";

/** Blocks this process, as a busy machine may. */
function block(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

describe("hourly limit when Redis fails", () => {
  const fixture = redisFixture();
  const { open, openProxy, onRedis } = fixture;

  it("down while two gateways admit separately: their counts are added up later", async () => {
    const [one, other] = [await open(), await open()];
    expect(admittedOf(await burst([one, other], 40, IP))).to.equal(40);
    await fixture.redis.kill();
    await Promise.all([one.untilAlone(), other.untilAlone()]);
    expect(await one.admit(5, IP)).to.equal(5);
    expect(await other.admit(7, IP)).to.equal(7);
    await fixture.redis.restart();
    await untilRedisCounts(fixture.redis.url, 52);
    await Promise.all([one.untilShared(), other.untilShared()]);
    expect(admittedOf(await burst([one, other], 100, IP))).to.equal(8);
  });

  it("stopped: requests don't wait for it, and its late decisions aren't counted twice", async () => {
    const gateway = await open();
    expect(await gateway.admit(10, IP)).to.equal(10);
    await fixture.redis.kill("SIGSTOP");
    expect(admittedOf(await burst([gateway], 5, IP))).to.equal(5);
    await gateway.untilAlone();
    const decided = gateway.limit.take(IP);
    expect(decided, "synchronous while the breaker is open").not.to.be.instanceOf(Promise);
    expect((await decided).remaining).to.equal(44);
    await fixture.redis.kill("SIGCONT");
    await gateway.untilShared();
    await untilRedisCounts(fixture.redis.url, 16);
    expect(admittedOf(await burst([gateway], 100, IP))).to.equal(44);
    await untilRedisCounts(fixture.redis.url, 60);
  });

  it("a gateway that was too busy to send its requests in time asks again", async () => {
    const gateway = await open();
    const decisions = burst([gateway], 20, IP);
    // After the script is handed to the client, which sends it in the next turn.
    setImmediate(() => block(150));
    expect(admittedOf(await decisions)).to.equal(20);
    expect(await gateway.decidedBy("redis")).to.equal(20);
    await untilRedisCounts(fixture.redis.url, 20);
  });

  it("stopped during a request: its late response still brings the counts of other gateways", async () => {
    expect(await (await open()).admit(50, IP)).to.equal(50);
    const newcomer = await open();
    await fixture.redis.kill("SIGSTOP");
    expect((await newcomer.limit.take(IP)).remaining, "it knows no other counts yet").to.equal(59);
    await fixture.redis.kill("SIGCONT");
    await untilRedisCounts(fixture.redis.url, 51);
    await newcomer.untilShared();
    await fixture.redis.kill();
    await newcomer.untilAlone();
    expect(await newcomer.admit(60, IP)).to.equal(9);
  });

  it("cut off: the connection is closed, and the counts are merged over a new one", async () => {
    const proxy = await openProxy();
    const gateway = await open(proxy.url);
    expect(await gateway.admit(10, IP)).to.equal(10);
    proxy.blackhole();
    expect(await gateway.admit(10, IP)).to.equal(10);
    await gateway.untilAlone();
    proxy.cut();
    proxy.open();
    await gateway.untilShared();
    await untilRedisCounts(fixture.redis.url, 20);
    expect(admittedOf(await burst([gateway], 100, IP))).to.equal(40);
  });

  it("a single failure: the next request adds what was admitted without Redis", async () => {
    const gateway = await open();
    await onRedis(async (client) => {
      await client.configSet("maxmemory", "1");
      expect((await gateway.limit.take(IP)).remaining).to.equal(59);
      await client.configSet("maxmemory", "100mb");
    });
    expect(await gateway.isBreakerOpen(), "after one failure").to.equal(false);
    expect((await gateway.limit.take(IP)).remaining).to.equal(58);
    await untilRedisCounts(fixture.redis.url, 2);
  });

  it("a user that can't subscribe: own counts, since the gateway wouldn't learn those of others", async () => {
    const rules = ["on", ">secret", "~glh2*", "+@all", "resetchannels"];
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", ...rules]));
    const silent = await open(`redis://silent:secret@127.0.0.1:${fixture.redis.port}`);
    expect(await silent.isBreakerOpen()).to.equal(true);
    await silent.untilLogged(/^NOPERM/);
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", "&glh2*"]));
    await silent.untilShared();
  });

  it("down, and the gateway's clock is set: no hour starts over", async () => {
    let aheadMs = 0;
    const gateway = await open(fixture.redis.url, { clock: () => Date.now() + aheadMs });
    expect(await gateway.admit(60, IP)).to.equal(60);
    await fixture.redis.kill();
    await gateway.untilAlone();
    for (const stepMs of [-600_000, 2 * HOUR_MS]) {
      aheadMs = stepMs;
      expect(await gateway.admit(1, IP), `${stepMs} ms`).to.equal(0);
    }
  });

  it("down at start: the gateway starts with its own counts, and merges them later", async () => {
    await fixture.redis.kill();
    const gateway = await open();
    expect(await gateway.admit(25, IP)).to.equal(25);
    expect(gateway.logged()[0]).to.include({ level: 40, reason: "ECONNREFUSED" });
    await fixture.redis.restart();
    await untilRedisCounts(fixture.redis.url, 25);
    await gateway.untilShared();
    expect(await gateway.admit(100, IP)).to.equal(35);
  });

  it("killed under a load of many callers: each gets exactly 60", async () => {
    const gateway = await open();
    const callers = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    const admitted = new Map<string, number>();
    const round = async () => {
      const decisions = await Promise.all(callers.map(async (ip) => ({ ip, ...(await gateway.limit.take(ip)) })));
      for (const { ip, ...one } of decisions) if (one.admitted) admitted.set(ip, (admitted.get(ip) ?? 0) + 1);
    };
    let restarting: Promise<void> | undefined;
    for (let index = 0; index < 100; index += 1) {
      if (index === 20) restarting = fixture.redis.kill().then(() => fixture.redis.restart());
      if (index === 50) await restarting;
      await round();
    }
    expect([...admitted.values()]).to.deep.equal(callers.map(() => 60));
  });
});
