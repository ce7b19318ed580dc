import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createAuthority, testAuthority } from "../../../../test/harness/certificates.ts";
import { type RedisServer, startRedisServer } from "../../../../test/harness/redis-server.ts";
import { secureStores } from "../../../../test/harness/secure-stores.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import type { RedisAccess } from "./redis-access.ts";
import { openRedisGateway, type RedisGateway } from "./testing/redis-gateways.ts";

const IP = "203.0.113.7";

describe("the hourly limit on a Redis with a password and TLS", () => {
  const { redis: stores } = secureStores();
  let redis: RedisServer;
  let gateways: RedisGateway[];
  before(async () => {
    redis = await startRedisServer({ secure: stores });
  });
  after(() => redis.stop());
  beforeEach(() => {
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map(({ limit }) => limit.close()));
  });

  const access = (): RedisAccess => ({
    url: `rediss://127.0.0.1:${redis.port}`,
    password: stores.password,
    caFile: stores.settings.REDIS_CA_FILE,
    certFile: stores.settings.REDIS_CERT_FILE,
    keyFile: stores.settings.REDIS_KEY_FILE,
  });
  const open = async (redisAccess: RedisAccess) => {
    const gateway = await openRedisGateway(redisAccess);
    gateways.push(gateway);
    return gateway;
  };

  it("is shared, with the password beside the URL or in it", async () => {
    const { password, ...rest } = access();
    const one = await open(access());
    const other = await open({ ...rest, url: `rediss://:${password}@127.0.0.1:${redis.port}` });
    expect((await one.limit.take(IP)).remaining).to.equal(59);
    expect((await other.limit.take(IP)).remaining).to.equal(58);
    expect(await other.decidedBy("redis")).to.equal(1);
  });

  for (const [what, change, reason] of [
    ["a wrong password", { password: "wrong-s3cret" }, /^WRONGPASS.*REDIS_PASSWORD/],
    ["no password", { password: undefined }, /^NOAUTH.*REDIS_PASSWORD/],
    ["another authority's certificate", { caFile: createAuthority().caFile }, /CERT.*REDIS_CA_FILE/],
    ["no certificate of its own", { certFile: undefined, keyFile: undefined }, /REDIS_CERT_FILE/],
  ] as const)
    it(`${what}: the gateway counts by itself and says why, without the password`, async () => {
      const gateway = await open({ ...access(), ...change });
      await gateway.untilLogged(reason);
      expect(await gateway.admit(100, "203.0.113.8")).to.equal(60);
      expect(gateway.logged()[0]).to.include({ level: 40 });
      expect(JSON.stringify(gateway.logged())).to.not.include("s3cret").and.not.include(stores.password);
    });

  it("a client certificate that was put right is used without a restart", async () => {
    const folder = tempFolder();
    const files = { certFile: join(folder, "client.pem"), keyFile: join(folder, "client.key") };
    const install = (issued: { certFile: string; keyFile: string }) => {
      copyFileSync(issued.certFile, files.certFile);
      copyFileSync(issued.keyFile, files.keyFile);
    };
    install(createAuthority().issue({ names: [] }));
    const gateway = await open({ ...access(), ...files });
    await gateway.untilAlone();
    rmSync(files.certFile);
    install(testAuthority().issue({ names: [] }));
    await gateway.untilShared();
    expect((await gateway.limit.take("203.0.113.9")).remaining).to.equal(59);
    expect(await gateway.decidedBy("redis")).to.equal(1);
  });
});
