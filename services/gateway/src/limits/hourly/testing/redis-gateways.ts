import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { Registry } from "@prometheus-io/client";
import { createClient } from "@redis/client";
import { pino } from "pino";
import { type RedisServer, startRedisServer } from "../../../../../../test/harness/redis-server.ts";
import { startTcpProxy } from "../../../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import type { HourlyDecision, HourlyLimit, KeyHours } from "../hourly-limit.ts";
import type { RedisAccess } from "../redis-access.ts";
import { openRedisHourlyLimit } from "../redis-limit.ts";

const DEADLINE_MS = 5_000;

/** The hourly limit of one gateway over Redis, with its metrics and log. */
export interface RedisGateway extends AsyncDisposable {
  readonly limit: HourlyLimit;
  /** Sends requests sequentially. @returns how many were admitted. */
  admit(count: number, ip: string): Promise<number>;
  isBreakerOpen(): Promise<boolean>;
  /** Waits until the breaker closes, or opens. */
  untilShared(): Promise<void>;
  untilAlone(): Promise<void>;
  /** Waits until it logs a matching reason for working without Redis. */
  untilLogged(reason: RegExp): Promise<void>;
  /** Failures of Redis so far, by reason. */
  failures(reason: string): Promise<number>;
  /** Decisions so far, by source. */
  decidedBy(source: string): Promise<number>;
  /** All log lines, at debug level. */
  logged(): Record<string, unknown>[];
}

/** Opens a gateway's limit as the product does, by default with the system's clock. */
export async function openRedisGateway(
  redis: string | RedisAccess,
  options: { limit?: number; secret?: string; clock?: Clock; responseTimeoutMs?: number } = {},
): Promise<RedisGateway> {
  const { limit: requests = 60, secret = "a secret of the test", clock = Date.now, ...times } = options;
  const lines: string[] = [];
  const log: Logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const registry = new Registry();
  const limit = await openRedisHourlyLimit({
    access: typeof redis === "string" ? { url: redis } : redis,
    secret,
    limit: requests,
    ipv6Prefix: 64,
    clock,
    log,
    registry,
    ...times,
  });
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const valuesOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  const isBreakerOpen = async () => (await valuesOf("geolookup_redis_breaker_open"))[0]?.value === 1;
  return {
    limit,
    isBreakerOpen,
    admit: async (count, ip) => {
      let admitted = 0;
      for (let index = 0; index < count; index += 1) if ((await limit.take(ip)).admitted) admitted += 1;
      return admitted;
    },
    untilShared: async () => {
      await waitFor("the limit to be shared", async () => !(await isBreakerOpen()), DEADLINE_MS);
    },
    untilAlone: async () => {
      await waitFor("the breaker to open", isBreakerOpen, DEADLINE_MS);
    },
    untilLogged: async (reason) => {
      await waitFor(
        `the reason ${reason}`,
        () => logged().some((line) => reason.test(String(line.reason))),
        DEADLINE_MS,
      );
    },
    failures: async (reason) =>
      (await valuesOf("geolookup_redis_failures_total")).find(({ labels }) => labels.reason === reason)?.value ?? 0,
    decidedBy: async (source) => {
      let decided = 0;
      for (const { labels, value } of await valuesOf("geolookup_hourly_limit_decisions_total"))
        if (labels.source === source) decided += value;
      return decided;
    },
    logged,
    [Symbol.asyncDispose]: limit[Symbol.asyncDispose],
  };
}

/** Gives each test of the enclosing suite its own Redis, and gateways that end with the test. */
export function redisFixture(args: readonly string[] = []) {
  let redis: RedisServer;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    redis = opened.use(await startRedisServer({ args }));
  });
  afterEach(() => opened.disposeAsync());
  return {
    get redis() {
      return redis;
    },
    /** Another Redis. */
    startAnother: async () => opened.use(await startRedisServer()),
    open: async (access: string | RedisAccess = redis.url, options?: Parameters<typeof openRedisGateway>[1]) =>
      opened.use(await openRedisGateway(access, options)),
    /** A proxy in front of Redis. */
    openProxy: async (options?: Parameters<typeof startTcpProxy>[1]) => {
      const proxy = opened.use(await startTcpProxy(redis.port, options));
      return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
    },
    onRedis: <Result>(work: Parameters<typeof asOperator<Result>>[1]) => asOperator(redis.url, work),
  };
}

/** Sends concurrent requests, to the gateways in turn. @returns the decisions in order. */
export function burst(
  gateways: readonly RedisGateway[],
  count: number,
  ip: string,
  key?: KeyHours,
): Promise<HourlyDecision[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const gateway = gateways[index % gateways.length];
      if (!gateway) throw new Error("no gateway");
      return gateway.limit.take(ip, key);
    }),
  );
}

export function admittedOf(decisions: readonly HourlyDecision[]): number {
  return decisions.filter(({ admitted }) => admitted).length;
}

/** Runs commands as the operator of a Redis server. */
export async function asOperator<Result>(
  url: string,
  work: (client: ReturnType<typeof operatorClient>) => Promise<Result>,
): Promise<Result> {
  const client = operatorClient(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

/** Waits until Redis has counted `used` requests for its one caller. */
export async function untilRedisCounts(url: string, used: number): Promise<void> {
  await asOperator(url, (client) =>
    waitFor(
      `Redis to count ${used}`,
      async () => {
        const callers = (await client.keys("glh2:*")) as string[];
        const text = callers.length === 1 ? String(await client.get(callers[0] as string)) : "";
        const [, ...words] = text.split(" ");
        return words.reduce((sum, word, index) => sum + (index % 2 === 1 ? Number(word) : 0), 0) === used;
      },
      DEADLINE_MS,
    ),
  );
}

function operatorClient(url: string) {
  return createClient({ url }).on("error", () => {
    // The running command rejects as well.
  });
}
