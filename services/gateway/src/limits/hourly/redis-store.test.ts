import { expect } from "chai";
import { type RedisServer, startRedisServer } from "../../../../../test/harness/redis-server.ts";
import { HOUR_MS, NAME_LENGTH } from "./hourly-limit.ts";
import { connectRedis, type RedisConnection } from "./redis-connection.ts";
import { EPOCH_KEY } from "./redis-scripts.ts";
import { type CallerRequests, mergeIntoRedis, parseUpdate, takeFromRedis } from "./redis-store.ts";
import { asOperator } from "./testing/redis-gateways.ts";
import type { HourWindow } from "./windows.ts";

describe("takeFromRedis", () => {
  const END = Date.now() + HOUR_MS / 2;
  const EARLIER = END - 60_000;
  const LIMIT = 60;
  let server: RedisServer;
  let redis: RedisConnection;
  before("start Redis, and connect", async () => {
    server = await startRedisServer();
    const up = Promise.withResolvers<void>();
    redis = connectRedis({ access: { url: server.url }, onUp: up.resolve, onDown: () => {}, onUpdate: () => {} });
    await up.promise;
    await asOperator(server.url, (client) => client.set(EPOCH_KEY, "e"));
  });
  after("stop", async () => {
    redis[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  const hour = (endMs: number, own: number, peers: [string, number][] = []): HourWindow => ({
    endMs,
    own,
    peers: new Map(peers),
  });
  /** Stores a caller's hour in Redis, takes requests, and returns the decision and what is stored then. */
  const take = async (stored: string | null, requests: Omit<CallerRequests, "caller">, epoch = "e") => {
    const caller = crypto.randomUUID();
    const key = `glh2:${caller}`;
    if (stored !== null)
      await asOperator(server.url, (client) =>
        client.set(key, stored, { expiration: { type: "PXAT", value: Number.parseInt(stored, 10) || END } }),
      );
    // A new caller before and after it, so that positions in the response matter.
    const first = { caller: crypto.randomUUID(), window: undefined, count: 1, limit: LIMIT };
    const last = { ...first, caller: crypto.randomUUID() };
    const taken = await takeFromRedis(redis, {
      ...{ epoch, gateway: "us", validUntilMs: Date.now() + HOUR_MS },
      requests: [first, { caller, ...requests }, last],
    });
    if (!taken) return null;
    const [before, decision, after] = taken.decisions;
    const opened = { window: hour(taken.nowMs + HOUR_MS, 1), granted: 1 };
    expect([before, after]).to.deep.equal([opened, opened]);
    const [text, expiresMs] = await asOperator(server.url, async (client) => [
      await client.get(key),
      await client.pExpireTime(key),
    ]);
    expect(expiresMs).to.equal(decision?.window.endMs);
    return { ...decision, text: String(text).replace(String(taken.nowMs + HOUR_MS), "in an hour") };
  };

  for (const [title, stored, requests, expected] of [
    ["opens the hour of a new caller", null, { count: 1 }, { own: 1, granted: 1, text: "in an hour us 1" }],
    ["opens that of one with several requests", null, { count: 3 }, { own: 3, granted: 3, text: "in an hour us 3" }],
    [
      "opens that of one with another limit",
      null,
      { count: 1, limit: 1 },
      { own: 1, granted: 1, text: "in an hour us 1" },
    ],
    ["overwrites text that isn't an hour", "an hour", { count: 1 }, { own: 1, granted: 1, text: "in an hour us 1" }],
    ["grants no more than the limit", null, { count: 3, limit: 2 }, { own: 2, granted: 2, text: "in an hour us 2" }],
    [
      "continues an hour",
      `${END} us 4`,
      { count: 2, window: hour(END, 4) },
      { own: 6, granted: 2, endMs: END, text: `${END} us 6` },
    ],
    [
      "restores counts that Redis doesn't have",
      null,
      { count: 1, window: hour(END, 4) },
      { own: 5, granted: 1, endMs: END, text: `${END} us 5` },
    ],
    [
      "learns of its own counts that it no longer knows",
      `${END} us 7`,
      { count: 1 },
      { own: 8, granted: 1, endMs: END, text: `${END} us 8` },
    ],
    [
      "learns of another gateway's counts at a caller's first request",
      `${END} them 9`,
      { count: 1 },
      { own: 1, granted: 1, endMs: END, peers: [["them", 9]], text: `${END} us 1 them 9` },
    ],
    [
      "refuses a caller that used up its hour at another gateway",
      `${END} them ${LIMIT}`,
      { count: 1 },
      { own: 0, granted: 0, endMs: END, peers: [["them", LIMIT]], text: `${END} them ${LIMIT}` },
    ],
    [
      "learns that the hour ends earlier",
      `${EARLIER} us 4`,
      { count: 1, window: hour(END, 4) },
      { own: 5, granted: 1, endMs: EARLIER, text: `${EARLIER} us 5` },
    ],
    [
      "learns of more of its own counts than it knows",
      `${END} us 7`,
      { count: 2, window: hour(END, 4) },
      { own: 9, granted: 2, endMs: END, text: `${END} us 9` },
    ],
    [
      "learns of another gateway's counts in a known hour",
      `${END} us 4 them 9`,
      { count: 1, window: hour(END, 4) },
      { own: 5, granted: 1, endMs: END, peers: [["them", 9]], text: `${END} us 5 them 9` },
    ],
    [
      "refuses a caller in a known hour that another gateway used up, and keeps the counts",
      `${END} us 4 them ${LIMIT - 4}`,
      { count: 1, window: hour(END, 4) },
      { own: 4, granted: 0, endMs: END, peers: [["them", LIMIT - 4]], text: `${END} us 4 them ${LIMIT - 4}` },
    ],
    [
      "grants the rest of a known hour",
      `${END} us ${LIMIT - 1}`,
      { count: 3, window: hour(END, LIMIT - 1) },
      { own: LIMIT, granted: 1, endMs: END, text: `${END} us ${LIMIT}` },
    ],
    [
      "continues an hour with known counts of another gateway",
      `${END} us 4 them 9`,
      { count: 1, window: hour(END, 4, [["them", 9]]) },
      { own: 5, granted: 1, endMs: END, peers: [["them", 9]], text: `${END} us 5 them 9` },
    ],
    [
      "starts a new hour after the known one",
      null,
      { count: 1, window: hour(Date.now() - 1, 59) },
      { own: 1, granted: 1, text: "in an hour us 1" },
    ],
  ] as [
    string,
    string | null,
    Partial<CallerRequests> & { count: number },
    { own: number; granted: number; endMs?: number; peers?: [string, number][]; text: string },
  ][])
    it(title, async () => {
      const taken = await take(stored, { window: undefined, limit: LIMIT, ...requests });
      const { window, granted, text } = taken as NonNullable<typeof taken>;
      expect({ own: window?.own, granted, text }).to.deep.equal({
        own: expected.own,
        granted: expected.granted,
        text: expected.text,
      });
      expect(window?.peers).to.deep.equal(new Map(expected.peers));
      if (expected.endMs) expect(window?.endMs).to.equal(expected.endMs);
    });

  it("admits nothing that comes too late, and still returns what is stored", async () => {
    const caller = crypto.randomUUID();
    const request = { caller, window: undefined, count: 1, limit: LIMIT };
    const call = { epoch: "e", gateway: "us", requests: [request] };
    await takeFromRedis(redis, { ...call, validUntilMs: Date.now() + HOUR_MS });
    const late = await takeFromRedis(redis, { ...call, validUntilMs: Date.now() - 1 });
    expect(late).to.include({ isLate: true });
    expect(late?.decisions[0]).to.deep.include({ granted: 0 });
    expect(late?.decisions[0]?.window.own).to.equal(1);
    const text = await asOperator(server.url, (client) => client.get(`glh2:${caller}`));
    expect(text).to.match(/ us 1$/);
  });

  it("has no effect if Redis has another epoch", async () => {
    const requests = { window: undefined, count: 1, limit: LIMIT };
    expect(await take(null, requests, "another")).to.equal(null);
    const taken = await take(`${END} us 1`, requests);
    expect(taken?.text).to.equal(`${END} us 2`);
  });

  it("merging overwrites text that isn't an hour", async () => {
    const caller = "c".repeat(NAME_LENGTH);
    const stored = await asOperator(server.url, async (client) => {
      await client.set(`glh2:${caller}`, "an hour");
      await mergeIntoRedis(redis, { newEpoch: "e", gateway: "us", windows: [[caller, hour(END, 3)]] });
      return client.get(`glh2:${caller}`);
    });
    expect(stored).to.equal(`${END} us 3`);
  });
});

describe("parseUpdate", () => {
  const [A, B] = ["a", "b"].map((character) => character.repeat(NAME_LENGTH)) as [string, string];
  it("returns every hour that grew", () =>
    expect(parseUpdate(`gw2 glh2:${A} 3 1767229200000 glh2:${B} 1 1767229200001`, "gw1")).to.deep.equal([
      [A, { endMs: 1767229200000, own: 0, peers: new Map([["gw2", 3]]) }],
      [B, { endMs: 1767229200001, own: 0, peers: new Map([["gw2", 1]]) }],
    ]));
  for (const [title, text] of [
    ["its own update", `gw1 glh2:${A} 3 1767229200000`],
    ["an empty text", ""],
    ["a count that isn't a number", `gw2 glh2:${A} many 1767229200000`],
    ["a negative count", `gw2 glh2:${A} -3 1767229200000`],
    ["an end that isn't a number", `gw2 glh2:${A} 3 soon`],
    ["a truncated update", `gw2 glh2:${A} 3`],
    ["a name that no gateway gives", `gw2 glh2:${A}a 3 1767229200000`],
    ["a name without its prefix", `gw2 ${A} 3 1767229200000`],
    ["garbage", "\u0000\ufffd {}"],
  ] as const)
    it(`ignores ${title}`, () => expect(parseUpdate(text, "gw1")).to.deep.equal([]));
});
