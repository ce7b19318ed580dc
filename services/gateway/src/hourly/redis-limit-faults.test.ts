import { expect } from "chai";
import { type RedisServer, startRedisServer } from "../../../../test/harness/redis-server.ts";
import { startTcpProxy } from "../../../../test/harness/tcp-proxy.ts";
import {
  admittedOf,
  asOperator,
  burst,
  openRedisGateway,
  type RedisGateway,
  untilRedisCounts,
} from "./testing/redis-gateways.ts";

const IP = "192.0.2.7";

describe("the hourly limit when Redis fails", () => {
  let redis: RedisServer;
  let opened: RedisGateway[];
  beforeEach(async () => {
    redis = await startRedisServer();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ limit }) => limit.close()));
    await redis.stop();
  });
  const open = async (url = redis.url, options?: Parameters<typeof openRedisGateway>[1]) => {
    const gateway = await openRedisGateway(url, options);
    opened.push(gateway);
    return gateway;
  };

  it("killed and restarted with an empty memory: one gateway admits exactly 60 across it all", async () => {
    const gateway = await open();
    let admitted = await gateway.admit(20, IP);
    await redis.kill();
    admitted += await gateway.admit(20, IP);
    expect(admitted).to.equal(40);
    expect(await gateway.decidedBy("local")).to.be.at.least(1);
    await redis.restart();
    await gateway.untilShared();
    admitted += admittedOf(await burst([gateway], 50, IP));
    expect(admitted).to.equal(60);
    expect(await gateway.decidedBy("redis"), "asked again after the return").to.be.at.least(21);
  });

  it("killed and restarted: one gateway admits a key's caller exactly its limit across it all", async () => {
    const gateway = await open();
    const key = { keyId: "key_a", limit: 30 };
    let admitted = admittedOf(await burst([gateway], 10, IP, key));
    expect(admitted).to.equal(10);
    await redis.kill();
    admitted += admittedOf(await burst([gateway], 10, IP, key));
    expect(admitted, "at once, and by the gateway's own count").to.equal(20);
    await redis.restart();
    await gateway.untilShared();
    admitted += admittedOf(await burst([gateway], 50, IP, key));
    expect(admitted).to.equal(30);
    await redis.kill();
    await gateway.untilAlone();
    expect(admittedOf(await burst([gateway], 50, IP, key)), "away again").to.equal(0);
    expect(admittedOf(await burst([gateway], 50, IP, { ...key, keyId: "key_b" })), "at most the limit").to.equal(30);
  });

  it("killed together with one of two gateways: exactly 60 across it all", async () => {
    const [survivor, killed] = [await open(), await open()];
    let admitted = admittedOf(await burst([survivor, killed], 20, IP));
    // The last words are the dead gateway's, and reach the other through Redis's news alone.
    admitted += await killed.admit(10, IP);
    expect(admitted).to.equal(30);
    // An answer more, so that the news are on their way, too: a Redis that dies between an answer and its news loses them.
    await asOperator(redis.url, (client) => client.ping());
    await redis.kill();
    await killed.limit.close();
    await survivor.untilAlone();
    expect((await survivor.limit.take(IP)).remaining).to.equal(29);
    admitted += 1 + (await survivor.admit(14, IP));
    await redis.restart();
    const restarted = await open();
    await untilRedisCounts(redis.url, 45);
    admitted += admittedOf(await burst([restarted, survivor], 100, IP));
    expect(admitted).to.equal(60);
  });

  it("away while two gateways admit apart: their counts add up on its return", async () => {
    const [one, other] = [await open(), await open()];
    expect(admittedOf(await burst([one, other], 40, IP))).to.equal(40);
    await redis.kill();
    await Promise.all([one.untilAlone(), other.untilAlone()]);
    expect(await one.admit(5, IP)).to.equal(5);
    expect(await other.admit(7, IP)).to.equal(7);
    await redis.restart();
    await untilRedisCounts(redis.url, 52);
    await Promise.all([one.untilShared(), other.untilShared()]);
    expect(admittedOf(await burst([one, other], 100, IP))).to.equal(8);
  });

  it("away while an address goes over its limit: on its return every gateway refuses, asked or not", async () => {
    const gateway = await open();
    await redis.kill();
    await gateway.untilAlone();
    expect(await gateway.admit(100, IP)).to.equal(60);
    await redis.restart();
    await untilRedisCounts(redis.url, 60);
    const fresh = await open();
    expect(await fresh.admit(10, IP)).to.equal(0);
  });

  it("stopped: requests are answered without it; what it answers late is one count with what was decided here", async () => {
    const gateway = await open();
    expect(await gateway.admit(10, IP)).to.equal(10);
    await redis.kill("SIGSTOP");
    // Every one of these is answered while Redis is not.
    expect(admittedOf(await burst([gateway], 5, IP))).to.equal(5);
    await gateway.untilAlone();
    const decided = gateway.limit.take(IP);
    expect(decided, "nobody waits once the breaker is open").not.to.be.instanceOf(Promise);
    expect((await decided).remaining).to.equal(44);
    await redis.kill("SIGCONT");
    await gateway.untilShared();
    await untilRedisCounts(redis.url, 16);
    expect(admittedOf(await burst([gateway], 100, IP))).to.equal(44);
    await untilRedisCounts(redis.url, 60);
  });

  it("stopped while it is asked: its late answer still tells what other gateways admitted", async () => {
    expect(await (await open()).admit(50, IP)).to.equal(50);
    const newcomer = await open();
    await redis.kill("SIGSTOP");
    expect((await newcomer.limit.take(IP)).remaining, "it has heard of nobody").to.equal(59);
    await redis.kill("SIGCONT");
    await untilRedisCounts(redis.url, 51);
    await newcomer.untilShared();
    await redis.kill();
    await newcomer.untilAlone();
    expect(await newcomer.admit(60, IP)).to.equal(9);
  });

  it("behind a network that drops every packet: the connection is given up, and a new one raises the counts", async () => {
    const proxy = await startTcpProxy(redis.port);
    try {
      const gateway = await open(`redis://127.0.0.1:${proxy.port}`);
      expect(await gateway.admit(10, IP)).to.equal(10);
      proxy.blackhole();
      expect(await gateway.admit(10, IP)).to.equal(10);
      await gateway.untilAlone();
      proxy.cut();
      proxy.open();
      await gateway.untilShared();
      await untilRedisCounts(redis.url, 20);
      expect(admittedOf(await burst([gateway], 100, IP))).to.equal(40);
    } finally {
      await proxy.close();
    }
  });

  it("silent on a connection that stands: the gateway connects anew by itself", async () => {
    const proxy = await startTcpProxy(redis.port);
    try {
      const gateway = await open(`redis://127.0.0.1:${proxy.port}`);
      proxy.blackhole();
      await gateway.untilAlone();
      await gateway.untilLogged(/silent/i);
      proxy.open();
      await gateway.untilShared();
      expect((await gateway.limit.take(IP)).remaining).to.equal(59);
    } finally {
      await proxy.close();
    }
  });

  it("FLUSHALL: the next request raises the count, and the others' follow by themselves", async () => {
    const [one, other] = [await open(), await open()];
    await burst([one, other], 40, IP);
    await asOperator(redis.url, (client) => client.flushAll());
    expect((await one.limit.take(IP)).remaining).to.equal(19);
    await asOperator(redis.url, (client) => client.flushAll());
    await untilRedisCounts(redis.url, 41);
    const fresh = await open();
    expect(admittedOf(await burst([one, other, fresh], 100, IP))).to.equal(19);
    expect(one.logged().filter(({ msg }) => /lost its memory/.test(String(msg)))).to.have.length(2);
  });

  it("out of memory: refuses to count, so gateways count by themselves and say so", async () => {
    const gateway = await open();
    expect(await gateway.admit(10, IP)).to.equal(10);
    await asOperator(redis.url, (client) => client.configSet("maxmemory", "1"));
    await gateway.untilAlone();
    expect(await gateway.admit(100, IP)).to.equal(50);
    expect(gateway.logged().at(-1)).to.include({ level: 40 }).and.have.property("reason").that.matches(/^OOM/);
    await asOperator(redis.url, (client) => client.configSet("maxmemory", "100mb"));
    await gateway.untilShared();
    await untilRedisCounts(redis.url, 60);
  });

  it("a single failure: what was admitted without Redis is counted there with the next request", async () => {
    const gateway = await open();
    await asOperator(redis.url, async (client) => {
      await client.configSet("maxmemory", "1");
      expect((await gateway.limit.take(IP)).remaining).to.equal(59);
      await client.configSet("maxmemory", "100mb");
    });
    expect(await gateway.isBreakerOpen(), "one failure is no outage").to.equal(false);
    expect((await gateway.limit.take(IP)).remaining).to.equal(58);
    await untilRedisCounts(redis.url, 2);
  });

  it("a wrong password: one clear line without it, and each gateway counts by itself until it is right", async () => {
    await asOperator(redis.url, (client) => client.configSet("requirepass", "right-s3cret"));
    const gateway = await open(`redis://:wrong-s3cret@127.0.0.1:${redis.port}`);
    expect(await gateway.admit(100, IP)).to.equal(60);
    expect(gateway.logged()).to.have.length(1);
    expect(gateway.logged()[0]).to.include({
      level: 40,
      msg: "hourly limit without Redis; falling back to this gateway's own counts",
    });
    expect(gateway.logged()[0]?.reason).to.match(/^WRONGPASS.*REDIS_URL/);
    expect(JSON.stringify(gateway.logged())).not.to.include("s3cret");
    await asOperator(`redis://:right-s3cret@127.0.0.1:${redis.port}`, (client) =>
      client.configSet("requirepass", "wrong-s3cret"),
    );
    await gateway.untilShared();
  });

  it("not there at the start: the gateway starts, counts by itself, and raises Redis when it comes", async () => {
    await redis.kill();
    const gateway = await open();
    expect(await gateway.admit(25, IP)).to.equal(25);
    expect(gateway.logged()[0]).to.include({ level: 40, reason: "ECONNREFUSED" });
    await redis.restart();
    await untilRedisCounts(redis.url, 25);
    await gateway.untilShared();
    expect(await gateway.admit(100, IP)).to.equal(35);
  });

  it("killed under a load of many callers: none gets more than 60, and none of those who ask enough fewer", async () => {
    const gateway = await open();
    const callers = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    const admitted = new Map<string, number>();
    const round = async () => {
      const decisions = await Promise.all(callers.map(async (ip) => ({ ip, ...(await gateway.limit.take(ip)) })));
      for (const { ip, ...one } of decisions) if (one.admitted) admitted.set(ip, (admitted.get(ip) ?? 0) + 1);
    };
    let restarting: Promise<void> | undefined;
    for (let index = 0; index < 100; index += 1) {
      if (index === 20) restarting = redis.kill().then(() => redis.restart());
      if (index === 50) await restarting;
      await round();
    }
    expect([...admitted.values()]).to.deep.equal(callers.map(() => 60));
  });
});
