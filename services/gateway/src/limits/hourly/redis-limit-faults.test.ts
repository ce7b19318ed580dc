import { expect } from "chai";
import { HOUR_MS } from "./hourly-limit.ts";
import { admittedOf, asOperator, burst, redisFixture, untilRedisCounts } from "./testing/redis-gateways.ts";

const IP = "192.0.2.7";

/** Blocks this process, as a busy machine may. */
function block(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

describe("hourly limit when Redis fails", () => {
  const fixture = redisFixture();
  const { open, openProxy, onRedis } = fixture;

  it("killed and restarted: one gateway admits exactly 60 in total", async () => {
    const gateway = await open();
    let admitted = await gateway.admit(20, IP);
    await fixture.redis.kill();
    admitted += await gateway.admit(20, IP);
    expect(admitted).to.equal(40);
    expect(await gateway.decidedBy("local")).to.be.at.least(1);
    await fixture.redis.restart();
    await gateway.untilShared();
    admitted += admittedOf(await burst([gateway], 50, IP));
    expect(admitted).to.equal(60);
    expect(await gateway.decidedBy("redis"), "decided by Redis after the restart").to.be.at.least(21);
  });

  it("killed and restarted: one gateway admits exactly a key's limit in total", async () => {
    const gateway = await open();
    const key = { keyId: "key_a", limit: 30 };
    let admitted = admittedOf(await burst([gateway], 10, IP, key));
    expect(admitted).to.equal(10);
    await fixture.redis.kill();
    admitted += admittedOf(await burst([gateway], 10, IP, key));
    expect(admitted, "by the gateway's own count").to.equal(20);
    await fixture.redis.restart();
    await gateway.untilShared();
    admitted += admittedOf(await burst([gateway], 50, IP, key));
    expect(admitted).to.equal(30);
    await fixture.redis.kill();
    await gateway.untilAlone();
    expect(admittedOf(await burst([gateway], 50, IP, key)), "killed again").to.equal(0);
    expect(admittedOf(await burst([gateway], 50, IP, { ...key, keyId: "key_b" })), "at most the limit").to.equal(30);
  });

  it("killed together with one of two gateways: exactly 60 in total", async () => {
    const [survivor, killed] = [await open(), await open()];
    let admitted = admittedOf(await burst([survivor, killed], 20, IP));
    // The killed gateway's last counts reach the other one only through Redis's update channel.
    admitted += await killed.admit(10, IP);
    expect(admitted).to.equal(30);
    // One more round trip, so that the updates have been sent.
    await onRedis((client) => client.ping());
    await fixture.redis.kill();
    await killed[Symbol.asyncDispose]();
    await survivor.untilAlone();
    expect((await survivor.limit.take(IP)).remaining).to.equal(29);
    admitted += 1 + (await survivor.admit(14, IP));
    await fixture.redis.restart();
    const restarted = await open();
    await untilRedisCounts(fixture.redis.url, 45);
    admitted += admittedOf(await burst([restarted, survivor], 100, IP));
    expect(admitted).to.equal(60);
  });

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

  it("down while an address exceeds its limit: later all gateways refuse it", async () => {
    const gateway = await open();
    await fixture.redis.kill();
    await gateway.untilAlone();
    expect(await gateway.admit(100, IP)).to.equal(60);
    await fixture.redis.restart();
    await untilRedisCounts(fixture.redis.url, 60);
    const fresh = await open();
    expect(await fresh.admit(10, IP)).to.equal(0);
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

  it("silent on an open connection: the gateway reconnects", async () => {
    const proxy = await openProxy();
    const gateway = await open(proxy.url);
    proxy.blackhole();
    await gateway.untilAlone();
    proxy.open();
    await gateway.untilShared();
    expect((await gateway.limit.take(IP)).remaining).to.equal(59);
  });

  it("FLUSHALL: gateways restore the counts", async () => {
    const [one, other] = [await open(), await open()];
    await burst([one, other], 40, IP);
    await onRedis((client) => client.flushAll());
    expect((await one.limit.take(IP)).remaining).to.equal(19);
    await onRedis((client) => client.flushAll());
    await untilRedisCounts(fixture.redis.url, 41);
    const fresh = await open();
    expect(admittedOf(await burst([one, other, fresh], 100, IP))).to.equal(19);
    expect(one.logged().filter(({ msg }) => /lost its data/.test(String(msg)))).to.have.length(2);
  });

  it("out of memory: gateways fall back to their own counts and log why", async () => {
    const gateway = await open();
    expect(await gateway.admit(10, IP)).to.equal(10);
    await onRedis((client) => client.configSet("maxmemory", "1"));
    await gateway.untilAlone();
    expect(await gateway.admit(100, IP)).to.equal(50);
    expect(gateway.logged().at(-1)).to.include({ level: 40 }).and.have.property("reason").that.matches(/^OOM/);
    await onRedis((client) => client.configSet("maxmemory", "100mb"));
    await gateway.untilShared();
    await untilRedisCounts(fixture.redis.url, 60);
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

  it("a wrong password: one log line without it, and own counts until it is correct", async () => {
    await onRedis((client) => client.configSet("requirepass", "right-s3cret"));
    const gateway = await open(`redis://:wrong-s3cret@127.0.0.1:${fixture.redis.port}`);
    expect(await gateway.admit(100, IP)).to.equal(60);
    expect(gateway.logged()).to.have.length(1);
    expect(gateway.logged()[0]).to.include({
      level: 40,
      msg: "hourly limit without Redis; falling back to this gateway's own counts",
    });
    expect(gateway.logged()[0]?.reason).to.match(/^WRONGPASS.*REDIS_URL/);
    expect(JSON.stringify(gateway.logged())).not.to.include("s3cret");
    await asOperator(`redis://:right-s3cret@127.0.0.1:${fixture.redis.port}`, (client) =>
      client.configSet("requirepass", "wrong-s3cret"),
    );
    await gateway.untilShared();
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
