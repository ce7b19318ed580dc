import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { KEY, readAll, startSmallApp, testCertificate } from "../testing/small-app.ts";
import { connectionMetrics } from "./testing/connection-metrics.ts";

const GARBAGE_PROCESS = fileURLToPath(new URL("testing/connections-garbage.ts", import.meta.url));
/** Of 400 MB that are processed. A `Set` of all requests leaves 60 MB. */
const MAX_LEFT_BYTES = 5_000_000;
const TIMEOUT_MS = 10_000;
/** As many as one read returns. */
const MANY = 700;
const REQUEST = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`;
const LAST_REQUEST = REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");

describe("connections with pipelined requests", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(async () => app?.[Symbol.asyncDispose]());

  let located: PromiseWithResolvers<void>[];
  let received: string;
  let socket: Socket;
  let onRequest = () => {};
  const start = async (requests: number, maxInFlight = 1_000) => {
    located = [];
    received = "";
    onRequest = () => {};
    app = await startSmallApp({
      addressOf: () => {
        onRequest();
        return "192.0.2.7";
      },
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

  it("one request is in progress, and its response starts the next one", async () => {
    await start(30);
    for (let index = 0; index < 30; index += 1) {
      await started(index + 1);
      expect((await fetch(`${app.url}/nowhere`)).status, "the gateway has read all").to.equal(404);
      expect([located.length, app.inFlight()]).to.deep.equal([index + 1, 1]);
      located[index]?.resolve();
      await waitFor(`response ${index}`, () => responses() === index + 1, TIMEOUT_MS);
    }
    expect(app.inFlight()).to.equal(0);
    expect(app.counted()).to.equal(30);
  });

  for (const [over, certificate] of [
    ["plain HTTP", () => null],
    ["TLS", testCertificate],
  ] as const)
    it(`Node parses only what is served, however much arrives at once over ${over}`, async () => {
      const parsed: string[] = [];
      const counting = Promise.withResolvers<void>();
      app = await startSmallApp({ settings: { certificate: certificate() }, count: () => counting.promise });
      app.server.prependListener("request", ({ url }) => parsed.push(url ?? ""));
      // A body, also one that looks like requests, belongs to its request.
      const form = `${REQUEST.replace("GET", "POST").replace("\r\n\r\n", `\r\nContent-Length: ${REQUEST.length}\r\n\r\n`)}${REQUEST}`;
      socket = await app.open(`${form}${REQUEST.repeat(MANY - 1)}${LAST_REQUEST}`);
      const receiving = readAll(socket);
      await waitFor("the first lookup", () => app.counted() > 0, TIMEOUT_MS);
      expect(parsed.length).to.equal(2);
      counting.resolve();
      received = await receiving;
      expect(received.match(/HTTP\/1\.1 404 /g), "the form").to.have.length(1);
      expect([responses(), app.counted(), parsed.length]).to.deep.equal([MANY, MANY, MANY + 1]);
    });

  it("if the input of all connections that waits is too much, connections are closed after the current response", async () => {
    await start(0, 8);
    const sockets = await Promise.all(Array.from({ length: 8 }, () => app.open(REQUEST.repeat(MANY))));
    const { closedFor } = connectionMetrics(app.registry);
    await waitFor("some to lose their input", async () => Number(await closedFor("pipelined")) > 0, TIMEOUT_MS);
    const reading = sockets.map(readAll);
    const resolving = setInterval(() => {
      for (const response of located) response.resolve();
    });
    for (const each of sockets) each.end();
    const texts = await Promise.all(reading).finally(() => clearInterval(resolving));
    const counts = texts.map((text) => text.split("HTTP/1.1 200 OK").length - 1);
    expect(counts.filter((count) => count === 1)).to.have.length(Number(await closedFor("pipelined")));
    expect(app.counted()).to.equal(counts.reduce((sum, count) => sum + count, 0));
  });

  it("if such a connection waits for its turn, its next request is served, and closes it", async () => {
    // Bytes for one slot: less than one of these connections sends.
    await start(0, 1);
    // Longer than requests start in one turn.
    onRequest = () => {
      for (const sinceMs = performance.now(); performance.now() - sinceMs < 50; );
    };
    const first = await app.open("");
    const second = await app.open("");
    first.write(REQUEST);
    second.write(REQUEST.repeat(MANY));
    const reading = [first, second].map(readAll);
    const resolving = setInterval(() => {
      for (const response of located) response.resolve();
    });
    first.end();
    const texts = await Promise.all(reading).finally(() => clearInterval(resolving));
    for (const text of texts) expect(text.split("HTTP/1.1 200 OK").length - 1).to.equal(1);
    expect(texts[1]).to.include("\r\nConnection: close\r\n");
  });

  it("starts one request per connection in each turn of the event loop, so that connections take turns", async () => {
    const order: string[] = [];
    app = await startSmallApp({
      addressOf: (req) => {
        order.push(String(req.url).slice(-1));
        return "192.0.2.7";
      },
    });
    const sockets = await Promise.all(["a", "b"].map(() => app.open("")));
    const requests = (client: string) => REQUEST.replace(KEY, `${KEY}&client=${client}`).repeat(50);
    sockets[0]?.write(requests("a"));
    sockets[1]?.write(requests("b"));
    await waitFor("all responses", () => app.counted() === 100, TIMEOUT_MS);
    const lastOfOne = Math.min(order.lastIndexOf("a"), order.lastIndexOf("b"));
    expect(lastOfOne, order.join("")).to.be.at.least(80);
  });

  it("drops the waiting requests of a reset connection", async () => {
    await start(50);
    await started(1);
    socket.resetAndDestroy();
    await waitFor(
      "the end",
      async () => (await connectionMetrics(app.registry).sum("geolookup_requests_total")) === 1,
      TIMEOUT_MS,
    );
    for (const response of located) response.resolve();
    await waitFor("all to complete", () => app.inFlight() === 0, TIMEOUT_MS);
    expect(located).to.have.length(1);
  });

  it("after a drain, serves requests until the connection's close is announced", async () => {
    await start(20);
    await started(1);
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
