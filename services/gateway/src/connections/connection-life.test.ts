import { once } from "node:events";
import type { Socket } from "node:net";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { readAll, startSmallApp } from "../testing/small-app.ts";
import { connectionMetrics } from "./testing/connection-metrics.ts";
import { GOOD, statusesIn } from "./testing/raw-requests.ts";

const TIMEOUT_MS = 20_000;
const REQUEST = `${GOOD}\r\n`;

describe("a connection", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  let located: (() => void)[];
  /** Lookups last until `release` is called. */
  const start = async (maxInFlight = 10) => {
    located = [];
    const locate = () =>
      new Promise<Located>((resolve) => {
        located.push(() => resolve({ record: UNKNOWN_TEXT, reason: "not_found" }));
      });
    app = await startSmallApp({ parts: { locator: { locate } }, settings: { maxInFlight } });
  };
  const lookups = (count: number) => waitFor(`${count} lookups`, () => located.length >= count, TIMEOUT_MS);
  const release = () => located.shift()?.();
  afterEach(() => app[Symbol.asyncDispose]());

  it("gets its early request served after the one before it, although only one may be in flight", async () => {
    await start(1);
    const [early, other] = [await app.open(REQUEST), await app.open("")];
    await lookups(1);
    early.write(REQUEST);
    other.write(REQUEST);
    const waiting = () => connectionMetrics(app.registry).sum("geolookup_requests_waiting");
    await waitFor("the other request", async () => (await waiting()) === 1, TIMEOUT_MS);
    let received = "";
    for (const socket of [early, other]) socket.on("data", (chunk) => (received += chunk));
    await waitFor("all responses", () => !!release() || received.split("HTTP/1.1 200").length === 4, TIMEOUT_MS);
  });

  it("is closed when a client closes it without a request", async () => {
    await start();
    const socket = await app.open("");
    socket.end();
    expect(await readAll(socket)).to.equal("");
  });

  it("doesn't count a request whose client has left", async () => {
    await start();
    const accepted = once(app.server, "connection");
    const socket = await app.open(REQUEST);
    const [connection] = (await accepted) as [Socket];
    await lookups(1);
    const closed = new Promise((resolve) => connection.once("close", resolve));
    socket.resetAndDestroy();
    await closed;
    release();
    await waitFor("the request to end", () => app.inFlight() === 0, TIMEOUT_MS);
    expect(app.counted()).to.equal(0);
  });

  it("when the server closes: an idle one is closed, and others get responses, also to a first request", async () => {
    await start();
    const idle = await app.open(REQUEST);
    await lookups(1);
    release();
    await once(idle, "data");
    const busy = await app.open(REQUEST);
    await lookups(1);
    const accepted = once(app.server, "connection");
    const fresh = await app.open("");
    await accepted;
    app.drain();
    app.server.close();
    expect(await readAll(idle)).to.equal("");
    fresh.write(REQUEST);
    await lookups(2);
    release();
    release();
    for (const socket of [busy, fresh]) {
      const text = await readAll(socket);
      expect(statusesIn(text)).to.deep.equal([200]);
      expect(text).to.include("\r\nConnection: close\r\n");
    }
  });
});
