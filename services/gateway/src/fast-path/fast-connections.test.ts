import { once } from "node:events";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { readAll } from "../testing/small-app.ts";
import { get, nextResponse, slowLocator, startFastApp, statuses, TARGET, TIMEOUT_MS } from "./testing/fast-app.ts";

describe("connections of the fast path", () => {
  let app: Awaited<ReturnType<typeof startFastApp>>;
  const start = async (options?: Parameters<typeof startFastApp>[0]) => {
    app = await startFastApp(options);
  };
  afterEach(() => app[Symbol.asyncDispose]());

  for (const [what, later, expected] of [
    ["another request", get(TARGET, "X-Last: 1"), ["200", "200"]],
    ["two more requests", get(TARGET) + get(TARGET), ["200", "200", "200"]],
    ["another path", get("/nowhere"), ["200", "404"]],
    ["invalid bytes", "\x00\r\n\r\n", ["200", "404"]],
    ["part of a request", get(TARGET).slice(0, 20), ["200", "404"]],
  ] as const)
    it(`serves a request first, then ${what} that arrived meanwhile, although the client has closed its side`, async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator } });
      const socket = await app.open(get(TARGET), { allowHalfOpen: true });
      await slow.waiting(1);
      socket.end(later, "latin1");
      setTimeout(slow.release, 50);
      const received = readAll(socket);
      for (let count = 1; count < expected.length; count += 1) setTimeout(slow.release, 50 + 50 * count);
      expect(statuses(await received).map((line) => line.slice(-3))).to.deep.equal(expected);
    });

  const requestsWaiting = async () =>
    (await app.registry.getSingleMetric("geolookup_requests_waiting")?.get())?.values[0]?.value;
  // A body, even an empty one, is for Node.
  for (const [by, request] of [
    ["by the fast path", get(TARGET)],
    ["by Node", get(TARGET, "Content-Length: 0")],
  ] as const) {
    it(`serves a request that arrived early after the one before it, although only one may be in flight, ${by}`, async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator }, settings: { maxInFlight: 1 } });
      const [early, other] = [await app.open(request), await app.open("")];
      await slow.waiting(1);
      early.write(request);
      other.write(request);
      // The early request was sent before it.
      await waitFor("the other request", async () => (await requestsWaiting()) === 1, TIMEOUT_MS);
      const responses: string[] = [];
      for (const socket of [early, other]) socket.on("data", (chunk) => responses.push(...statuses(`${chunk}`)));
      await waitFor(
        "all responses",
        () => {
          slow.release();
          return responses.length === 3;
        },
        TIMEOUT_MS,
      );
      expect(new Set(responses)).to.deep.equal(new Set(["HTTP/1.1 200"]));
    });

    it(`doesn't count a request whose client has left, ${by}`, async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator } });
      const socket = await app.open(request);
      await slow.waiting(1);
      socket.resetAndDestroy();
      const isConnected = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count > 0)));
      await waitFor("the connection to close", async () => !(await isConnected()), TIMEOUT_MS);
      slow.release();
      await waitFor("the request to end", () => app.inFlight() === 0, TIMEOUT_MS);
      expect(app.counted()).to.equal(0);
    });

    it(`when the server closes, closes idle connections, completes requests, and serves a connection that hasn't sent one yet, ${by}`, async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator } });
      const idle = await app.open(request);
      await slow.waiting(1);
      slow.release();
      await nextResponse(idle);
      const busy = await app.open(request);
      await slow.waiting(1);
      const fresh = await app.open("");
      await waitFor(
        "the last connection",
        () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count === 3))),
        TIMEOUT_MS,
      );
      app.drain();
      app.server.close();
      expect(await readAll(idle)).to.equal("");
      fresh.write(request);
      await slow.waiting(2);
      slow.release();
      slow.release();
      for (const socket of [busy, fresh]) expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200.*Connection: close/s);
    });
  }

  it("sends the response to a client that has closed its side, then closes", async () => {
    const slow = slowLocator();
    await start({ parts: { locator: slow.locator } });
    const socket = await app.open(get(TARGET), { allowHalfOpen: true });
    socket.end();
    await slow.waiting(1);
    setTimeout(slow.release, 50);
    expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200.*Connection: close/s);
  });

  it("closes a connection that a client closes without a request", async () => {
    await start();
    const socket = await app.open("");
    socket.end();
    expect(await readAll(socket)).to.equal("");
  });

  it("closes connections that have been idle for too long", async () => {
    await start();
    const socket = await app.open(get(TARGET));
    await nextResponse(socket);
    app.server.keepAliveTimeout = 1;
    await once(socket, "close");
    expect(app.fast).to.deep.equal([true]);
  }).timeout(TIMEOUT_MS);

  it("refuses connections that send nothing", async () => {
    await start();
    app.server.headersTimeout = 1;
    expect(await readAll(await app.open(""))).to.match(/^HTTP\/1\.1 404.*Connection: close.*not_found/s);
  }).timeout(TIMEOUT_MS);
});
