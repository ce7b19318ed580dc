import { expect } from "chai";
import { type RedisServer, startRedisServer } from "../../../../../test/harness/redis-server.ts";
import { secureStoreSuite } from "../../../../../test/harness/secure-store-suite.ts";
import { secureStores } from "../../../../../test/harness/secure-stores.ts";
import type { RedisAccess } from "./redis-access.ts";
import { openRedisGateway, type RedisGateway } from "./testing/redis-gateways.ts";

const IP = "203.0.113.7";

describe("hourly limit on a Redis with a password and TLS", () => {
  const { redis: stores } = secureStores();
  let redis: RedisServer;
  let gateways: RedisGateway[];
  before(async () => {
    redis = await startRedisServer({ secure: stores });
  });
  after(() => redis[Symbol.asyncDispose]());
  beforeEach(() => {
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
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
    return { ...gateway, isUp: async () => !(await gateway.isBreakerOpen()) };
  };

  secureStoreSuite({
    access,
    open,
    reasons: {
      wrongPassword: /^WRONGPASS.*REDIS_PASSWORD/,
      noPassword: /^NOAUTH.*REDIS_PASSWORD/,
      certificate: /CERT.*REDIS_CA_FILE/,
      clientCertificate: /REDIS_CERT_FILE/,
    },
    // Falls back to its own counts.
    afterRefusal: async () => {
      const [gateway] = gateways;
      expect(await gateway?.admit(100, "203.0.113.8")).to.equal(60);
      expect(gateway?.logged()[0]).to.include({ level: 40 });
    },
  });

  it("is shared, with the password beside the URL or in it", async () => {
    const { password, ...rest } = access();
    const one = await open(access());
    const other = await open({ ...rest, url: `rediss://:${password}@127.0.0.1:${redis.port}` });
    expect((await one.limit.take(IP)).remaining).to.equal(59);
    expect((await other.limit.take(IP)).remaining).to.equal(58);
    expect(await other.decidedBy("redis")).to.equal(1);
  });
});
