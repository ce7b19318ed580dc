import { once } from "node:events";
import type { Socket } from "node:net";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { KEY, startSmallApp } from "../testing/small-app.ts";

const TIMEOUT_MS = 20_000;

describe("a gateway beyond its capacity", () => {
  /**
   * Starts a gateway with as many lookups in progress as it allows.
   * @param overloadIntervalMs by default so long that no waiting request is refused.
   */
  const startFull = async (
    maxInFlight: number,
    overloadIntervalMs = TIMEOUT_MS,
    options: Parameters<typeof startSmallApp>[0] = {},
  ) => {
    const located: { ip: string; end: () => void }[] = [];
    const locate = (ip: string) =>
      new Promise<Located>((resolve) => {
        located.push({ ip, end: () => resolve({ record: UNKNOWN_TEXT, reason: "not_found" }) });
      });
    const app = await startSmallApp({
      ...options,
      settings: { ...options.settings, maxInFlight, overloadIntervalMs },
      addressOf: (req) => String(req.headers["x-forwarded-for"]),
      parts: { locator: { locate } },
    });
    const statuses: Promise<number>[] = [];
    const waitingNow = async () =>
      (await app.registry.getSingleMetric("geolookup_requests_waiting")?.get())?.values[0]?.value;
    const send = (from: string) => {
      const responding = fetch(`${app.url}/v1/geo?key=${KEY}`, { headers: { "X-Forwarded-For": from } });
      statuses.push(responding.then(({ status }) => status));
    };
    const lookups = (count: number) => waitFor(`${count} lookups`, () => located.length === count, TIMEOUT_MS);
    for (let request = 0; request < maxInFlight; request += 1) send("192.0.2.1");
    await lookups(maxInFlight);
    return {
      ...app,
      waitingNow,
      /** Lookups that have started, in order. */
      located,
      /** Statuses of the requests that were sent, in order. */
      statuses: () => Promise.all(statuses),
      send,
      lookups,
      waiting: (count: number) =>
        waitFor(`${count} waiting requests`, async () => (await waitingNow()) === count, TIMEOUT_MS, 1),
    };
  };

  for (const [accessLog, expected] of [
    ["errors", []],
    ["all", ["500 internal_error", "200 null"]],
  ] as const)
    it(`has ${expected.length === 0 ? "no" : "a"} line of its own in the request log with ACCESS_LOG=${accessLog}`, async () => {
      const lines: Record<string, unknown>[] = [];
      const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
      await using app = await startFull(1, 100, { log, settings: { accessLog } });
      await (await fetch(`${app.url}/v1/geo?key=${KEY}`)).text();
      app.located[0]?.end();
      await app.statuses();
      const requests = () => lines.filter(({ msg }) => msg === "request");
      await waitFor("both lines", () => requests().length === expected.length, TIMEOUT_MS);
      expect(requests().map(({ status, code }) => `${status} ${code}`)).to.deep.equal(expected);
    });

  it("keeps the order of waiting requests when a preflight ends", async () => {
    await using app = await startFull(2);
    app.send("192.0.2.3");
    await app.waiting(1);
    app.send("192.0.2.4");
    await app.waiting(2);
    expect((await fetch(`${app.url}/v1/geo`, { method: "OPTIONS" })).status).to.equal(204);
    app.located[0]?.end();
    await app.lookups(3);
    app.located[1]?.end();
    await app.lookups(4);
    expect(app.located.map(({ ip }) => ip).slice(2)).to.deep.equal(["192.0.2.3", "192.0.2.4"]);
    for (const { end } of app.located) end();
    expect(await app.statuses()).to.deep.equal([200, 200, 200, 200]);
  });

  it("lets another request wait when the client of a waiting one has gone", async () => {
    await using app = await startFull(1);
    const accepted = once(app.server, "connection");
    const client = await app.open(`GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [connection] = (await accepted) as [Socket];
    await app.waiting(1);
    const closed = new Promise((resolve) => connection.once("close", resolve));
    // A client that only closes its side may still be reading.
    client.resetAndDestroy();
    await closed;
    expect(await app.waitingNow()).to.equal(0);
    app.send("192.0.2.3");
    await app.waiting(1);
    for (const ended of [1, 2]) {
      app.located[ended - 1]?.end();
      await app.lookups(2);
    }
    expect(await app.statuses()).to.deep.equal([200, 200]);
  });
});
