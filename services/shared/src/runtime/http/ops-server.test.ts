import { once } from "node:events";
import { Gauge, Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { openSocket } from "../grpc/testing/raw-grpc.ts";
import { OPS_LIMITS, type OpsLimits, paceRendering, startOpsServer } from "./ops-server.ts";

const DEADLINE_MS = 15_000;
const GET_METRICS = "GET /metrics HTTP/1.1\r\nHost: ops\r\n\r\n";

describe("an ops port", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const serve = async (limits: Partial<OpsLimits> = {}, fill: (registry: Registry) => void = () => {}) => {
    const registry = new Registry();
    fill(registry);
    const options = { host: "127.0.0.1", port: 0, registry, ready: () => true, limits };
    const server = opened.use(await startOpsServer({ ...options, status: { service: "test", version: "1" } }));
    return {
      get: async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text(),
      socket: async (from?: string) => {
        const each = await openSocket(server.port, from);
        opened.defer(() => void each.socket.destroy());
        return each;
      },
    };
  };

  it("limits the connections of one address, and still serves others", async () => {
    const { get, socket } = await serve({ maxConnectionsPerAddress: 2, requestTimeoutMs: 60_000 });
    for (let count = 0; count < 2; count += 1) await socket("127.0.0.2");
    const over = await socket("127.0.0.2");
    await waitFor("the third to be closed", over.isClosed, DEADLINE_MS);
    expect(await get("/healthz")).to.equal("ok\n");
  });

  it("limits connections in total", async () => {
    const { socket } = await serve({ maxConnections: 2, requestTimeoutMs: 60_000 });
    const held = [await socket("127.0.0.2"), await socket("127.0.0.3")];
    const over = await socket("127.0.0.4");
    await waitFor("the third to be closed", over.isClosed, DEADLINE_MS);
    expect(held.map(({ isClosed }) => isClosed())).to.deep.equal([false, false]);
  });

  it("closes connections that send nothing, or a request byte by byte", async () => {
    const { get, socket } = await serve({ requestTimeoutMs: 500 });
    const slow = [await socket(), await socket(), await socket()];
    slow[1]?.socket.write("GET /healthz HTTP/1.1\r\nHos");
    slow[2]?.socket.write("POST /healthz HTTP/1.1\r\nHost: ops\r\nContent-Length: 1000\r\n\r\n");
    opened.use(setInterval(() => slow[2]?.socket.write("a"), 50));
    await waitFor("all to be closed", () => slow.every(({ isClosed }) => isClosed()), DEADLINE_MS);
    expect(await get("/healthz")).to.equal("ok\n");
  });

  it("closes connections that don't read their responses", async () => {
    const { get, socket } = await serve({ responseTimeoutMs: 1_000 }, (registry) => {
      const gauge = new Gauge({ name: "big", help: "x".repeat(40_000_000), registers: [registry] });
      gauge.set(1);
    });
    const reader = await socket();
    reader.socket.pause();
    reader.socket.write(GET_METRICS);
    await once(reader.socket, "readable").catch(() => {});
    await waitFor("it to be closed", () => reader.socket.read() === null && reader.isClosed(), DEADLINE_MS);
    expect(await get("/healthz")).to.equal("ok\n");
  });

  it("serves one request per connection at a time, and closes connections that pipeline", async () => {
    const { socket } = await serve();
    const { socket: ahead, isClosed } = await socket();
    let received = "";
    ahead.on("data", (data: Buffer) => {
      received += data.toString("latin1");
    });
    ahead.write(GET_METRICS.repeat(100));
    await waitFor("it to be closed", isClosed, DEADLINE_MS);
    expect(received.split("HTTP/1.1 200").length - 1).to.be.at.most(1);
  });

  it("refuses long headers", async () => {
    const { socket } = await serve();
    const { socket: long } = await socket();
    long.write(`GET /healthz HTTP/1.1\r\nHost: ops\r\nX: ${"a".repeat(OPS_LIMITS.maxHeaderBytes)}\r\n\r\n`);
    const [response] = (await once(long, "data")) as [Buffer];
    expect(response.toString("latin1")).to.match(/^HTTP\/1\.1 431 /);
  });
});

/** A rendering that takes a given time on its clock, and returns what it read when it began. */
function open(tookMs: number) {
  const state = { nowMs: 0, value: 0, renderings: 0, fails: false };
  const ask = paceRendering(
    async () => {
      state.renderings += 1;
      const seen = state.value;
      await new Promise((resolve) => setImmediate(resolve));
      state.nowMs += tookMs;
      if (state.fails) throw new Error("failed");
      return seen;
    },
    () => state.nowMs,
  );
  return { state, ask };
}

describe("paceRendering", () => {
  it("renders once for concurrent requests", async () => {
    const { state, ask } = open(0);
    state.value = 7;
    expect(await Promise.all(Array.from({ length: 100 }, ask))).to.deep.equal(Array.from({ length: 100 }, () => 7));
    expect(state.renderings).to.equal(1);
  });

  it("never returns a rendering from before the request", async () => {
    const { state, ask } = open(0);
    const first = ask();
    await Promise.resolve();
    await Promise.resolve();
    state.value = 1;
    expect(await Promise.all([first, ask(), ask()])).to.deep.equal([0, 1, 1]);
    state.value = 2;
    expect(await ask()).to.equal(2);
    expect(state.renderings).to.equal(3);
  });

  it("pauses nine times as long as it rendered, and at most a second", async () => {
    for (const [tookMs, restMs] of [
      [2, 18],
      [1_000, 1_000],
    ] as const) {
      const { state, ask } = open(tookMs);
      await ask();
      const startMs = performance.now();
      await ask();
      expect(performance.now() - startMs).to.be.at.least(restMs - 2);
      state.nowMs += 10_000;
      await ask();
      expect(state.renderings).to.equal(3);
    }
  });

  it("continues after a failed rendering", async () => {
    const { state, ask } = open(0);
    state.fails = true;
    expect(await ask().catch((error: Error) => error.message)).to.equal("failed");
    state.fails = false;
    expect(await ask()).to.equal(0);
  });
});
