import { createClient } from "@redis/client";
import { expect } from "chai";
import { type RedisServer, startRedisServer } from "../../test/harness/redis-server.ts";
import { redisReadings } from "./redis-settings.ts";

describe("doctor checks that Redis retains nothing about callers", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());
  const start = async (...args: string[]) => opened.use(await startRedisServer({ args }));
  const asked = async (server: RedisServer, commands: string[][]) => {
    const client = await createClient({ url: server.url }).connect();
    try {
      const responses: unknown[] = [];
      for (const command of commands) responses.push(await client.sendCommand(command));
      return responses;
    } finally {
      client.destroy();
    }
  };
  const slow = [
    "EVAL",
    "local function now() local t = redis.call('TIME') return t[1] * 1e6 + t[2] end local start = now() while now() - start < 30000 do end return 1",
    "1",
    "glh2:caller",
  ];

  it("our configuration keeps no slow command and no latency event", async () => {
    const server = await start();
    const [, length] = await asked(server, [slow, ["SLOWLOG", "LEN"]]);
    expect(length).to.equal(0);
    expect((await asked(server, [["LATENCY", "LATEST"]]))[0]).to.deep.equal([]);
    expect(await redisReadings({ REDIS_URL: server.url })).to.deep.equal([
      { text: "retains nothing about callers beyond the hour", bad: false },
    ]);
  });

  it("Redis's own defaults keep them, and doctor says what to set", async () => {
    const server = await start("--slowlog-log-slower-than", "10000", "--slowlog-max-len", "128", "--save", "60 1");
    const [, slowlog] = await asked(server, [slow, ["SLOWLOG", "GET"]]);
    expect(JSON.stringify(slowlog)).to.include("glh2:caller");
    const readings = (await redisReadings({ REDIS_URL: server.url })) ?? [];
    expect(readings.map(({ bad }) => bad)).to.deep.equal([true, true]);
    expect(readings[0]?.text).to.include("CONFIG SET slowlog-log-slower-than -1");
    expect(readings[1]?.text).to.include("to disk");
    await asked(server, [
      ["CONFIG", "SET", "slowlog-log-slower-than", "-1", "latency-monitor-threshold", "5", "save", ""],
    ]);
    const left = (await redisReadings({ REDIS_URL: server.url })) ?? [];
    expect(left.map(({ text }) => text)).to.have.length(1);
    expect(left[0]?.text).to.include("latency-monitor-threshold 0");
  });

  it("says that it couldn't check if CONFIG GET is denied, without a warning", async () => {
    const server = await start();
    await asked(server, [
      ["ACL", "SETUSER", "gateway", "on", ">secret-password", "~glh2*", "&glh2*", "+@all", "-@admin"],
    ]);
    const readings = await redisReadings({
      REDIS_URL: `redis://gateway@127.0.0.1:${server.port}`,
      REDIS_PASSWORD: "secret-password",
    });
    expect(readings).to.have.length(1);
    expect(readings?.[0]?.bad).to.equal(false);
    expect(readings?.[0]?.text).to.match(/^could not check .*CONFIG GET is denied \(NOPERM/);
  });

  it("warns about a wrong password and an unreachable Redis; does nothing without REDIS_URL", async () => {
    const server = await start("--requirepass", "right-password");
    const wrong = await redisReadings({ REDIS_URL: server.url, REDIS_PASSWORD: "wrong-password" });
    expect([wrong?.[0]?.bad, wrong?.[0]?.text]).to.satisfy(
      ([bad, text]: [boolean, string]) => bad && /^NOT RESPONDING: WRONGPASS/.test(text) && !text.includes("wrong-"),
    );
    await server.kill();
    expect((await redisReadings({ REDIS_URL: server.url }))?.[0]?.text).to.include("NOT RESPONDING");
    expect(await redisReadings({})).to.equal(null);
  });
});
