import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { KEY, startSmallApp } from "../testing/small-app.ts";
import { MAX_OPEN_PER_CONNECTION, MAX_WAITING_PER_CONNECTION } from "./connections.ts";
import { connectionMetrics } from "./testing/connection-metrics.ts";

const GARBAGE_PROCESS = fileURLToPath(new URL("testing/connections-garbage.ts", import.meta.url));
/** Of 400 MB that are processed. A `Set` of all requests leaves 60 MB. */
const MAX_LEFT_BYTES = 5_000_000;
const TIMEOUT_MS = 10_000;
const REQUEST = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe("connections with pipelined requests", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(async () => app?.[Symbol.asyncDispose]());

  let located: PromiseWithResolvers<void>[];
  let received: string;
  let socket: Socket;
  const start = async (requests: number, maxInFlight = 1_000) => {
    located = [];
    received = "";
    app = await startSmallApp({
      settings: { maxInFlight },
      parts: {
        locator: {
          locate: async () => {
            const response = Promise.withResolvers<void>();
            located.push(response);
            await response.promise;
            return { record: UNKNOWN_TEXT, reason: "not_found" };
          },
        },
      },
    });
    socket = await app.open(REQUEST.repeat(requests));
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
  };
  const responses = () => received.split("HTTP/1.1 200 OK").length - 1;
  const started = (count: number) => waitFor(`${count} lookups`, () => located.length === count, TIMEOUT_MS);

  it("8 requests are in progress, and each response starts the next request, in order", async () => {
    await start(30);
    await started(MAX_OPEN_PER_CONNECTION);
    expect((await fetch(`${app.url}/nowhere`)).status, "the gateway has read all").to.equal(404);
    expect(located).to.have.length(MAX_OPEN_PER_CONNECTION);
    expect(app.inFlight()).to.equal(MAX_OPEN_PER_CONNECTION);
    located[1]?.resolve();
    await waitFor("its completion", () => app.inFlight() === MAX_OPEN_PER_CONNECTION - 1, TIMEOUT_MS);
    expect(responses(), "the first response comes first").to.equal(0);
    for (let index = 0; index < 30; index += 1) {
      await waitFor(`lookup ${index}`, () => located.length > index, TIMEOUT_MS);
      located[index]?.resolve();
      await waitFor(`response ${index}`, () => responses() >= index + 1, TIMEOUT_MS);
    }
    expect(app.inFlight()).to.equal(0);
    expect(app.counted()).to.equal(30);
  });

  it("accepts a hundred waiting requests, repeatedly", async () => {
    const requests = 1 + MAX_WAITING_PER_CONNECTION;
    await start(requests);
    for (let times = 1; times <= 3; times += 1) {
      for (let index = requests * (times - 1); index < requests * times; index += 1) {
        await waitFor(`lookup ${index}`, () => located.length > index, TIMEOUT_MS);
        located[index]?.resolve();
      }
      await waitFor("all responses", () => responses() === requests * times, TIMEOUT_MS);
      if (times < 3) socket.write(REQUEST.repeat(requests));
    }
  });

  it("drops excess requests: the accepted ones get responses, then the connection is closed", async () => {
    const accepted = 1 + MAX_WAITING_PER_CONNECTION;
    await start(accepted + 500);
    const closed = once(socket, "close");
    for (let index = 0; index < accepted; index += 1) {
      await waitFor(`lookup ${index}`, () => located.length > index, TIMEOUT_MS);
      located[index]?.resolve();
    }
    await closed;
    expect(await connectionMetrics(app.registry).closedFor("pipelined")).to.equal(1);
    expect([responses(), app.counted(), located.length]).to.deep.equal([accepted, accepted, accepted]);
    expect(app.inFlight()).to.equal(0);
  });

  it("closes without a stack trace for each request that gets no response", async () => {
    await start(20);
    await started(MAX_OPEN_PER_CONNECTION);
    const { stackTraceLimit, prepareStackTrace } = Error;
    const frames: number[] = [];
    Error.prepareStackTrace = (error: NodeJS.ErrnoException, trace) => {
      if (error.code === "ECONNRESET") frames.push(trace.length);
      return String(error);
    };
    try {
      socket.resetAndDestroy();
      await waitFor("their errors", () => frames.length >= 12, TIMEOUT_MS);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    // The connection's own error has one.
    expect(frames.filter((count) => count > 0)).to.deep.equal([1]);
    expect(Error.stackTraceLimit).to.equal(stackTraceLimit);
  });

  it("starts one request per connection in each turn of the event loop, so that connections take turns", async () => {
    const order: string[] = [];
    app = await startSmallApp({
      addressOf: (req) => {
        order.push(String(req.headers["x-client"]));
        return "192.0.2.7";
      },
    });
    const sockets = await Promise.all(["a", "b"].map(() => app.open("")));
    const requests = (client: string) => REQUEST.replace("Host: a", `Host: a\r\nX-Client: ${client}`).repeat(50);
    sockets[0]?.write(requests("a"));
    sockets[1]?.write(requests("b"));
    await waitFor("all responses", () => app.counted() === 100, TIMEOUT_MS);
    const lastOfOne = Math.min(order.lastIndexOf("a"), order.lastIndexOf("b"));
    expect(lastOfOne, order.join("")).to.be.at.least(80);
  });

  it("drops the waiting requests of a reset connection", async () => {
    await start(50);
    await started(MAX_OPEN_PER_CONNECTION);
    socket.resetAndDestroy();
    await waitFor(
      "the end",
      async () => (await connectionMetrics(app.registry).sum("geolookup_requests_total")) === MAX_OPEN_PER_CONNECTION,
      TIMEOUT_MS,
    );
    for (const response of located) response.resolve();
    await waitFor("all to complete", () => app.inFlight() === 0, TIMEOUT_MS);
    expect(located).to.have.length(MAX_OPEN_PER_CONNECTION);
  });

  it("after a drain, serves requests until the connection's close is announced", async () => {
    await start(20);
    await started(MAX_OPEN_PER_CONNECTION);
    app.drain();
    for (let index = 0; index < 20; index += 1) {
      await waitFor(`lookup ${index}`, () => located.length > index, TIMEOUT_MS);
      located[index]?.resolve();
    }
    await once(socket, "close");
    expect(responses()).to.equal(20);
    expect(received.match(/Connection: close/g)).to.have.length(1);
    expect(app.counted()).to.equal(20);
  });

  it("allocate nothing that survives minor garbage collections", () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", GARBAGE_PROCESS], { encoding: "utf8" });
    expect(stdout).to.match(/^-?\d+$/);
    expect(Number(stdout)).to.be.below(MAX_LEFT_BYTES);
  });
});
