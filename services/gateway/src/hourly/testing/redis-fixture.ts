import { RESP_TYPES } from "@redis/client";
import { type RedisServer, startRedisServer } from "../../../../../test/harness/redis-server.ts";
import { startTcpProxy } from "../../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { SLOT_BYTES } from "../hour-slots.ts";
import { asOperator, openRedisGateway } from "./redis-gateways.ts";

const DEADLINE_MS = 5_000;

/** Gives each test of the enclosing suite its own Redis, and gateways that end with the test. */
export function redisFixture() {
  let redis: RedisServer;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    redis = opened.use(await startRedisServer());
  });
  afterEach(() => opened.disposeAsync());

  const open = async (url = redis.url, options?: Parameters<typeof openRedisGateway>[1]) =>
    opened.use(await openRedisGateway(url, options));
  const openProxy = async () => {
    const proxy = opened.use(await startTcpProxy(redis.port));
    return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
  };
  /** A gateway that has the lease. */
  const openHolder = async (url?: string) => {
    const gateway = await open(url, { minAloneMs: 0 });
    await gateway.untilLeaseHeld();
    return gateway;
  };
  const onRedis = <Result>(work: Parameters<typeof asOperator<Result>>[1]) => asOperator(redis.url, work);
  const loggedHours = () =>
    onRedis(async (client) => {
      const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
      const entries = (await binary.xRange("glh2-log", "-", "+")) ?? [];
      return entries.reduce((sum, { message }) => sum + (message.hours?.length ?? 0) / SLOT_BYTES, 0);
    });
  return {
    get redis() {
      return redis;
    },
    get opened() {
      return opened;
    },
    open,
    openProxy,
    openHolder,
    /** A holder that can be cut off. */
    openBehindProxy: async () => {
      const proxy = await openProxy();
      return { proxy, holder: await openHolder(proxy.url) };
    },
    onRedis,
    /** The hours in the holder's log. */
    loggedHours,
    untilLogged: (count: number) => waitFor("the log", async () => (await loggedHours()) >= count, DEADLINE_MS),
  };
}
