import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { redisFixture } from "../testing/redis-fixture.ts";
import { admittedOf, burst } from "../testing/redis-gateways.ts";

const IP = "192.0.2.7";
const LIMIT = 60;
const DEADLINE_MS = 5_000;

describe("the lease without Redis, or without its permissions", () => {
  const fixture = redisFixture();
  const { open, openHolder, onRedis } = fixture;

  it("Redis killed and restarted: exactly the limit, and the lease again", async () => {
    const gateway = await openHolder();
    let admitted = await gateway.admit(20, IP);
    await fixture.redis.kill();
    admitted += await gateway.admit(20, IP);
    expect(await gateway.isLeaseHeld()).to.equal(false);
    await fixture.redis.restart();
    await gateway.untilShared();
    admitted += await gateway.admit(10, IP);
    await gateway.untilLeaseHeld();
    admitted += admittedOf(await burst([gateway], 50, IP));
    expect(admitted).to.equal(LIMIT);
  });

  it("FLUSHALL: nothing is lost", async () => {
    const gateway = await openHolder();
    expect(await gateway.admit(20, IP)).to.equal(20);
    await onRedis((client) => client.flushAll());
    await waitFor("the release", async () => !(await gateway.isLeaseHeld()), DEADLINE_MS);
    await gateway.untilLeaseHeld();
    const other = await open();
    expect(admittedOf(await burst([gateway, other], 100, IP))).to.equal(LIMIT - 20);
  });

  it("a frozen Redis: requests don't wait", async () => {
    const gateway = await openHolder();
    await fixture.redis.kill("SIGSTOP");
    const decided = gateway.limit.take(IP);
    expect(decided).not.to.be.instanceOf(Promise);
    await gateway.untilAlone();
    expect(await gateway.admit(LIMIT, IP)).to.equal(LIMIT - 1);
    await fixture.redis.kill("SIGCONT");
    await gateway.untilShared();
    expect(admittedOf(await burst([gateway], 10, IP))).to.equal(0);
  });

  for (const [what, rules] of [
    ...["xadd", "xrange", "xtrim", "pexpire", "del", "scan"].map(
      (command) => [command, ["+@all", `-${command}`]] as const,
    ),
    [
      "any command that older versions don't use",
      ["-@all", ..."+hello +client +subscribe +ping +evalsha +eval +get +set +time +pubsub +publish".split(" ")],
    ] as const,
  ])
    it(`without permission for ${what}, Redis is asked for each request, and the log says why`, async () => {
      await onRedis((client) =>
        client.sendCommand(["ACL", "SETUSER", "old", "on", ">secret", "~glh2*", "&glh2*", ...rules]),
      );
      const gateway = await open(`redis://old:secret@127.0.0.1:${fixture.redis.port}`, { minAloneMs: 0 });
      const refused = () => gateway.logged().filter(({ msg }) => /can't decide alone/.test(String(msg)));
      await waitFor("the log line", () => refused().length > 0, DEADLINE_MS);
      await gateway.untilShared();
      expect(admittedOf(await burst([gateway], 100, IP))).to.equal(LIMIT);
      await delay(600);
      expect(await gateway.isLeaseHeld()).to.equal(false);
      expect(refused()).to.have.length(1);
      expect(String(refused()[0]?.reason)).to.match(/can't run this command/);
      expect(await gateway.isBreakerOpen()).to.equal(false);
    });

  it("a gateway that can't subscribe doesn't share the limit, since nobody knows of it", async () => {
    const rules = ["on", ">secret", "~glh2*", "+@all", "resetchannels"];
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", ...rules]));
    const silent = await open(`redis://silent:secret@127.0.0.1:${fixture.redis.port}`, { minAloneMs: 0 });
    expect(await silent.isBreakerOpen()).to.equal(true);
    await silent.untilLogged(/^NOPERM/);
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", "&glh2*"]));
    await silent.untilShared();
    await silent.untilLeaseHeld();
  });
});
