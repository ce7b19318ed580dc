import { once } from "node:events";
import { gzipSync } from "node:zlib";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { LocateRequest__Output } from "../../generated/geolookup/geo/v1/LocateRequest.ts";
import { callUnary, openClient, startStream } from "./client.ts";
import { DEFAULT_MAX_REQUEST_BYTES, GRPC_LIMITS, type GrpcLimits, MAX_BATCH } from "./limits.ts";
import { serve } from "./served-service.ts";
import { startGrpcServer } from "./server.ts";
import { GEO, USAGE } from "./services.ts";
import { beginCall, framed, HANDSHAKE, openHttp2, openSocket, PING, statusOf } from "./testing/raw-grpc.ts";

const TOKEN = "a-token-of-some-length";
const DEADLINE_MS = 15_000;
/** The response to each request of a client that reads nothing. */
const LONG_TEXT = "x".repeat(100_000);

describe("a gRPC port", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0).reverse()) await close();
  });

  const start = async (limits: Partial<GrpcLimits> = {}, host = "127.0.0.1") => {
    const registry = new Registry();
    const asked: string[][] = [];
    const locate = ({ addresses }: LocateRequest__Output) => {
      asked.push(addresses);
      return { results: [{ place: { city: addresses[0] === "long" ? LONG_TEXT : "city" } }] };
    };
    const batch = { field: 1, max: MAX_BATCH };
    let months = 0;
    const server = await startGrpcServer({
      ...{ host, port: 0, log: pino({ level: "silent" }), registry, limits },
      services: [
        serve(GEO, { Locate: locate, LocateStream: locate }, { batches: { Locate: batch, LocateStream: batch } }),
        serve(
          USAGE,
          {
            GetMonth: () => {
              months += 1;
              return {};
            },
          },
          { adminToken: TOKEN },
        ),
      ],
    });
    opened.push(server);
    server.setServing(true);
    const own = <Resource extends { close(): unknown }>(resource: Resource) => {
      opened.push({ close: () => resource.close() });
      return resource;
    };
    const client = own(openClient(`127.0.0.1:${server.port}`));
    return {
      port: server.port,
      asked,
      months: () => months,
      own,
      session: () => own(openHttp2(server.port)),
      socket: async (from?: string) => {
        const each = await openSocket(server.port, from);
        opened.push({ close: () => each.socket.destroy() });
        return each;
      },
      client,
      locate: (addresses: string[]) => callUnary(client, GEO.Locate, { addresses }, { deadlineMs: DEADLINE_MS }),
      refused: async (reason: string) => {
        const metric = await registry.getSingleMetric("geolookup_grpc_refusals_total")?.get();
        return metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
      },
    };
  };
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => grpc.status.OK,
      (error: { cause: grpc.ServiceError }) => error.cause.code,
    );
  type Served = Awaited<ReturnType<typeof start>>;
  const waitForRefusals = ({ refused }: Served, reason: string, count = 1) =>
    waitFor(`${count} refused: ${reason}`, async () => (await refused(reason)) >= count, DEADLINE_MS);

  describe("bounds connections", () => {
    it("of one address, and still accepts others", async () => {
      const served = await start({ maxConnectionsPerAddress: 3 });
      const held = [await served.socket(), await served.socket(), await served.socket()];
      const over = await served.socket();
      await waitFor("the fourth to be closed", over.isClosed, DEADLINE_MS);
      expect(await served.refused("connections_of_address")).to.equal(1);
      const other = await served.socket("127.0.0.2");
      other.socket.write(HANDSHAKE);
      await once(other.socket, "data");
      held[0]?.socket.destroy();
      await waitFor(
        "a place to be free",
        async () => (await codeOf(served.locate(["a"]))) === grpc.status.OK,
        DEADLINE_MS,
      );
    });

    it("in all", async () => {
      const served = await start({ maxConnections: 4 });
      for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]) await served.socket(from);
      const over = await served.socket("127.0.0.6");
      await waitFor("the fifth to be closed", over.isClosed, DEADLINE_MS);
      expect(await served.refused("connections")).to.equal(1);
    });

    it("that one address opens in succession", async () => {
      const served = await start({ maxConnectionBurst: 5, maxNewConnectionsPerSecond: 1 });
      for (let count = 0; count < 20; count += 1) (await served.socket("127.0.0.2")).socket.destroy();
      await waitForRefusals(served, "connection_rate", 10);
      expect(await codeOf(served.locate(["a"]))).to.equal(grpc.status.OK);
    });

    it("from one address and port to two addresses of a service: the second is refused, and the first stays bounded", async () => {
      const served = await start({ handshakeTimeoutMs: 500 }, "0.0.0.0");
      const first = await served.socket();
      const from = { address: "127.0.0.1", port: first.socket.localPort as number };
      const second = await openSocket(served.port, from, "127.0.0.2");
      opened.push({ close: () => second.socket.destroy() });
      await waitFor("both to be closed", () => first.isClosed() && second.isClosed(), DEADLINE_MS);
      expect(await served.refused("connections_of_address")).to.equal(1);
      expect(await served.refused("handshake_timeout")).to.equal(1);
    });

    it("that send nothing, or byte by byte", async () => {
      const served = await start({ handshakeTimeoutMs: 500 });
      const silent = await served.socket();
      const slow = await served.socket();
      slow.socket.write(HANDSHAKE.subarray(0, 10));
      const good = await served.socket();
      good.socket.write(HANDSHAKE);
      await waitFor("both to be closed", () => silent.isClosed() && slow.isClosed(), DEADLINE_MS);
      expect(await served.refused("handshake_timeout")).to.equal(2);
      expect(good.isClosed()).to.equal(false);
    });

    it("that are old, whatever calls are open on them", async () => {
      const served = await start({ maxConnectionAgeMs: 300, maxConnectionAgeGraceMs: 200 });
      const session = served.session();
      let closed = false;
      session.on("close", () => {
        closed = true;
      });
      // A stream without requests, and a call that never sends its request.
      for (const path of [GEO.LocateStream.path, GEO.Locate.path]) beginCall(session, path);
      await waitFor("the connection to be closed", () => closed, DEADLINE_MS);
    });

    it("that send pings and nothing else", async () => {
      const served = await start({ maxControlBytes: 100_000, maxControlBytesPerSecond: 1_000 });
      const polite = await served.socket();
      polite.socket.write(Buffer.concat([HANDSHAKE, PING]));
      const { socket, isClosed } = await served.socket();
      socket.write(HANDSHAKE);
      // A few at a time: many unsent responses would close the connection by themselves.
      const pinging = setInterval(() => socket.write(Buffer.concat(Array.from({ length: 500 }, () => PING))), 10);
      opened.push({ close: () => clearInterval(pinging) });
      await waitFor("it to be closed", isClosed, DEADLINE_MS);
      expect(await served.refused("control_frames")).to.equal(1);
      expect(polite.isClosed()).to.equal(false);
    });

    it("but not those that send many long requests", async () => {
      const served = await start({
        maxControlBytes: 1_000,
        maxControlBytesPerSecond: 1_000,
        headerBytesPerCall: 1_000,
      });
      const text = "a".repeat(50_000);
      for (let count = 0; count < 60; count += 1) await served.locate([text]);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await served.locate([text]);
      expect(await served.refused("control_frames")).to.equal(0);
    });
  });

  describe("bounds calls", () => {
    it("of one connection", async () => {
      const { session } = await start();
      const [settings] = (await once(session(), "remoteSettings")) as [{ maxConcurrentStreams: number }];
      expect(settings.maxConcurrentStreams).to.equal(GRPC_LIMITS.maxCallsPerConnection);
    });

    it("of one address, and in the time that a request may take", async () => {
      const served = await start({ maxCallsPerAddress: 2, requestTimeoutMs: 1_000 });
      const session = served.session();
      const idle = [beginCall(session, GEO.Locate.path), beginCall(session, GEO.Locate.path)].map(statusOf);
      await waitFor(
        "no place to be left",
        async () => (await codeOf(served.locate(["a"]))) === grpc.status.RESOURCE_EXHAUSTED,
        DEADLINE_MS,
      );
      const stream = startStream(served.client, GEO.LocateStream, { deadlineMs: DEADLINE_MS });
      const [refusal] = (await once(stream, "error")) as [grpc.ServiceError];
      expect(refusal.code).to.equal(grpc.status.RESOURCE_EXHAUSTED);
      expect(await Promise.all(idle)).to.deep.equal([grpc.status.DEADLINE_EXCEEDED, grpc.status.DEADLINE_EXCEEDED]);
      expect(await codeOf(served.locate(["a"]))).to.equal(grpc.status.OK);
      expect(await served.refused("request_timeout")).to.equal(2);
    });

    it("in all", async () => {
      const served = await start({ maxCalls: 1 });
      statusOf(beginCall(served.session(), GEO.Locate.path)).catch(() => {});
      await waitForRefusalsOfCalls(served);
    });
    const waitForRefusalsOfCalls = (served: Served) =>
      waitFor(
        "no place to be left",
        async () =>
          (await codeOf(served.locate(["a"]))) === grpc.status.RESOURCE_EXHAUSTED &&
          (await served.refused("calls")) > 0,
        DEADLINE_MS,
      );

    it("by the bytes of a request", async () => {
      const { locate, asked } = await start();
      expect(await codeOf(locate(["a".repeat(DEFAULT_MAX_REQUEST_BYTES)]))).to.equal(grpc.status.RESOURCE_EXHAUSTED);
      expect(asked).to.deep.equal([]);
    });

    it("by the bytes that a compressed request grows to", async () => {
      const { session, asked } = await start();
      const call = beginCall(session(), GEO.Locate.path, { "grpc-encoding": "gzip" });
      const status = statusOf(call);
      call.end(framed(gzipSync(Buffer.alloc(64 * 2 ** 20)), true));
      expect(await status).to.equal(grpc.status.RESOURCE_EXHAUSTED);
      expect(asked).to.deep.equal([]);
    });

    it("by the bytes of their metadata", async () => {
      const { session, asked } = await start();
      const headers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, "a".repeat(2_000)]));
      const call = beginCall(session(), GEO.Locate.path, headers);
      await new Promise((resolve) => call.on("close", resolve));
      expect(call.rstCode).not.to.equal(0);
      expect(asked).to.deep.equal([]);
    });

    for (const [name, addresses] of [
      ["addresses", Array.from({ length: MAX_BATCH + 1 }, () => "192.0.2.1")],
      ["empty addresses", Array.from({ length: MAX_BATCH + 1 }, () => "")],
    ] as const)
      it(`by the length of a batch of ${name}, before it is decoded`, async () => {
        const { locate, client, asked } = await start();
        expect(await codeOf(locate([...addresses]))).to.equal(grpc.status.INVALID_ARGUMENT);
        const stream = startStream(client, GEO.LocateStream, { deadlineMs: DEADLINE_MS });
        stream.write({ addresses });
        const [error] = (await once(stream, "error")) as [grpc.ServiceError];
        expect(error.code).to.equal(grpc.status.INVALID_ARGUMENT);
        expect(asked).to.deep.equal([]);
        expect(await codeOf(locate(addresses.slice(1)))).to.equal(grpc.status.OK);
      });

    it("that aren't valid messages", async () => {
      const { session, asked } = await start();
      const call = beginCall(session(), GEO.Locate.path);
      const status = statusOf(call);
      call.end(framed(Buffer.from("0affffff", "hex")));
      expect(await status).to.equal(grpc.status.INVALID_ARGUMENT);
      expect(asked).to.deep.equal([]);
    });
  });

  describe("refuses calls without the admin token", () => {
    for (const [name, headers] of [
      ["without a token", {}],
      ["with a wrong token", { authorization: "Bearer wrong" }],
    ] as const)
      it(`${name} before their request has come, and their connection after a few`, async () => {
        const served = await start();
        const session = served.session();
        let closed = false;
        session.on("close", () => {
          closed = true;
        });
        for (let count = 1; count <= GRPC_LIMITS.maxRefusedCallsPerConnection; count += 1)
          expect(await statusOf(beginCall(session, USAGE.GetMonth.path, headers))).to.equal(
            grpc.status.UNAUTHENTICATED,
          );
        await waitFor("the connection to be closed", () => closed, DEADLINE_MS);
        expect(served.months()).to.equal(0);
        expect(await served.refused("unauthenticated")).to.equal(GRPC_LIMITS.maxRefusedCallsPerConnection);
        expect(await served.refused("unauthenticated_connection")).to.equal(1);
        const usage = served.own(openClient(`127.0.0.1:${served.port}`));
        await callUnary(usage, USAGE.GetMonth, {}, { deadlineMs: DEADLINE_MS, token: TOKEN });
        expect(served.months()).to.equal(1);
      });
  });

  describe("bounds responses that a client doesn't read", () => {
    it("on a stream: its requests aren't read either, and it is closed", async () => {
      const served = await start({ maxUnsentBytesPerStream: 300_000, stalledWriteTimeoutMs: 2_000 });
      const session = served.session();
      const call = beginCall(session, GEO.LocateStream.path);
      call.pause();
      const request = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));
      for (let count = 0; count < 1_000; count += 1) call.write(request);
      await once(session, "close");
      expect(await served.refused("stalled_write")).to.equal(1);
      // The unsent ones, those in transit (64 kB), and the one that reached the limit.
      expect(served.asked.length).to.be.within(3, 6);
      expect(await codeOf(served.locate(["a"]))).to.equal(grpc.status.OK);
    });

    for (const bound of ["maxUnsentBytesPerConnection", "maxUnsentBytes"] as const)
      it(`of all streams together, ${bound}: those who read have their answers all the same`, async () => {
        const served = await start({ [bound]: 300_000 });
        const session = served.session();
        const request = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));
        const calls = Array.from({ length: 10 }, () => beginCall(session, GEO.LocateStream.path));
        for (const call of calls) {
          call.pause();
          for (let count = 0; count < 20; count += 1) call.write(request);
        }
        await waitFor("each stream to be asked", () => served.asked.length >= calls.length, DEADLINE_MS);
        const stream = startStream(served.client, GEO.LocateStream, { deadlineMs: DEADLINE_MS });
        for (let count = 0; count < 50; count += 1) {
          stream.write({ addresses: ["a"] });
          await once(stream, "data");
        }
        stream.end();
        // One of each stream, besides what fills it up and what is on its way (64 kB).
        expect(served.asked.length - 50).to.be.within(10, 15);
        // Those who begin to read have all of theirs.
        for (const call of calls) call.resume();
        await waitFor("all to be asked", () => served.asked.length === 250, DEADLINE_MS);
      });

    it("of calls: further calls are refused", async () => {
      const served = await start({ maxUnsentBytesPerConnection: 300_000 });
      const session = served.session();
      const request = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));
      for (let count = 0; count < 20; count += 1) {
        const call = beginCall(session, GEO.Locate.path);
        call.pause();
        call.end(request);
      }
      await waitForRefusals(served, "unsent_responses", 10);
      expect(served.asked.length).to.be.below(10);
      expect(await codeOf(served.locate(["a"]))).to.equal(grpc.status.OK);
    });

    it("in all", async () => {
      const served = await start({ maxUnsentBytes: 300_000 });
      const session = served.session();
      const request = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));
      for (let count = 0; count < 20; count += 1) {
        const call = beginCall(session, GEO.Locate.path);
        call.pause();
        call.end(request);
      }
      await waitForRefusals(served, "unsent_responses", 10);
      expect(await codeOf(served.locate(["a"]))).to.equal(grpc.status.RESOURCE_EXHAUSTED);
      session.destroy();
      await waitFor(
        "it to answer again",
        async () => (await codeOf(served.locate(["a"]))) === grpc.status.OK,
        DEADLINE_MS,
      );
    });
  });
});
