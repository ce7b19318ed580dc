import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { GRANT, KEY, readAll, startSmallApp, testCertificate } from "../testing/small-app.ts";
import { MAX_OPEN_PER_CONNECTION, MAX_WAITING_PER_CONNECTION } from "./connections.ts";

const GARBAGE_PROCESS = fileURLToPath(new URL("testing/connections-garbage.ts", import.meta.url));
/** Of 400 MB that go through; a `Set` of all requests leaves 60 MB. */
const MAX_LEFT_BYTES = 5_000_000;
const TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 40;
const NEVER_MS = 60_000;
/** Ten checks without progress end a connection. */
const STALL_TIMEOUT_MS = 10 * CHECK_INTERVAL_MS;
const REQUEST = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`;
const LAST_REQUEST = REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
/** The kernel takes some megabytes for a caller who doesn't read; so many of these are more. */
const LARGE_RESPONSE_BYTES = 1_000_000;
const MORE_THAN_THE_KERNEL_TAKES = 20;

describe("the connections of the public port", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(async () => app?.close());

  const gauge = async (name: string) => {
    const { values = [] } = (await app.registry.getSingleMetric(name)?.get()) ?? {};
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  const closedFor = async (reason: string) => {
    const { values = [] } = (await app.registry.getSingleMetric("geolookup_connections_closed_total")?.get()) ?? {};
    return values.find(({ labels }) => labels.reason === reason)?.value;
  };

  describe("when a caller pipelines", () => {
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
              const answer = Promise.withResolvers<void>();
              located.push(answer);
              await answer.promise;
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

    it("8 requests hold places, and each response makes room for the next request, in order", async () => {
      await start(30);
      await started(MAX_OPEN_PER_CONNECTION);
      expect((await fetch(`${app.url}/nowhere`)).status, "the gateway has read all").to.equal(404);
      expect(located).to.have.length(MAX_OPEN_PER_CONNECTION);
      expect(app.inFlight()).to.equal(MAX_OPEN_PER_CONNECTION);
      located[1]?.resolve();
      await waitFor("its place", () => app.inFlight() === MAX_OPEN_PER_CONNECTION - 1, TIMEOUT_MS);
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

    it("further requests are dropped: the accepted ones get responses, then the connection is closed", async () => {
      const accepted = 1 + MAX_WAITING_PER_CONNECTION;
      await start(accepted + 500);
      const closed = once(socket, "close");
      for (let index = 0; index < accepted; index += 1) {
        await waitFor(`lookup ${index}`, () => located.length > index, TIMEOUT_MS);
        located[index]?.resolve();
      }
      await closed;
      expect(await closedFor("pipelined")).to.equal(1);
      expect([responses(), app.counted(), located.length]).to.deep.equal([accepted, accepted, accepted]);
      expect(app.inFlight()).to.equal(0);
    });

    it("each connection starts one request per turn of the event loop, so that nobody waits for all requests of another connection", async () => {
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

    it("a broken connection leaves nothing behind, however many of its requests wait", async () => {
      await start(50);
      await started(MAX_OPEN_PER_CONNECTION);
      socket.resetAndDestroy();
      await waitFor(
        "the end",
        async () => (await gauge("geolookup_requests_total")) === MAX_OPEN_PER_CONNECTION,
        TIMEOUT_MS,
      );
      for (const answer of located) answer.resolve();
      await waitFor("the places", () => app.inFlight() === 0, TIMEOUT_MS);
      expect(located).to.have.length(MAX_OPEN_PER_CONNECTION);
    });

    it("after a drain, every request gets a response until its connection's close is announced", async () => {
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
  });

  for (const [name, certificate] of [
    ["", () => null],
    [" over TLS", testCertificate],
  ] as const) {
    it(`a caller that reads keeps its connection${name}, however many requests wait`, async () => {
      app = await startSmallApp({ settings: { certificate: certificate(), maxInFlight: 10 } });
      const sockets = await Promise.all(Array.from({ length: 3 }, () => app.open(REQUEST.repeat(20) + LAST_REQUEST)));
      for (const received of await Promise.all(sockets.map(readAll)))
        expect(received.match(/HTTP\/1\.1 200 /g)).to.have.length(21);
      expect(await closedFor("unsent")).to.equal(0);
    });

    describe(`when a caller does not read${name}`, () => {
      const start = async (settings: { maxInFlight: number; checkIntervalMs: number }) => {
        app = await startSmallApp({
          settings: { ...settings, certificate: certificate() },
          addressOf: () => "1".repeat(LARGE_RESPONSE_BYTES),
          parts: { authorizer: { authorize: () => ({ outcome: "granted", grant: { ...GRANT, fields: "paid" } }) } },
        });
      };
      const openDeaf = async () => {
        const socket = await app.open(REQUEST.repeat(MORE_THAN_THE_KERNEL_TAKES));
        socket.pause();
        return socket;
      };

      it("no request is started while 16 kB wait to be sent, and no place is held", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: NEVER_MS });
        const socket = await openDeaf();
        await waitFor("the first lookups", () => app.counted() > 0, TIMEOUT_MS);
        await waitFor(
          "no more to be started",
          async () => {
            const before = app.counted();
            await readAll(await app.open(LAST_REQUEST.replace("/v1/geo", "/nowhere")));
            return app.counted() === before;
          },
          TIMEOUT_MS,
        );
        expect(app.counted()).to.be.below(MORE_THAN_THE_KERNEL_TAKES);
        expect(await gauge("geolookup_responses_unsent")).to.be.below(MAX_OPEN_PER_CONNECTION);
        expect(app.inFlight()).to.equal(0);
        let bytes = 0;
        socket.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        socket.resume();
        await waitFor(
          "all, once it reads",
          () => bytes > MORE_THAN_THE_KERNEL_TAKES * LARGE_RESPONSE_BYTES,
          TIMEOUT_MS,
        );
        expect(app.counted()).to.equal(MORE_THAN_THE_KERNEL_TAKES);
      });

      it("its connection is closed if nothing was sent for a while", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: CHECK_INTERVAL_MS });
        await openDeaf();
        await waitFor("its end", async () => (await closedFor("stalled")) === 1, TIMEOUT_MS);
        expect(app.inFlight()).to.equal(0);
      });

      it("its connection stays open as long as something is sent now and then", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: CHECK_INTERVAL_MS });
        const socket = await openDeaf();
        const since = performance.now();
        let bytes = 0;
        let mayRead = 0;
        socket.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          mayRead -= chunk.length;
          if (mayRead <= 0) socket.pause();
        });
        // The kernel reports room to the gateway only when there is a lot.
        const reading = setInterval(() => {
          mayRead = LARGE_RESPONSE_BYTES / 2;
          socket.resume();
        }, CHECK_INTERVAL_MS);
        try {
          await waitFor("some stall timeouts", () => performance.now() - since > 3 * STALL_TIMEOUT_MS, TIMEOUT_MS);
        } finally {
          clearInterval(reading);
        }
        expect(bytes).to.be.above(0);
        expect(await closedFor("stalled")).to.equal(0);
      });

      it("such connections together hold an eighth of all places: those without progress for the longest time are closed", async () => {
        const maxInFlight = 16 * MAX_OPEN_PER_CONNECTION;
        await start({ maxInFlight, checkIntervalMs: NEVER_MS });
        const deaf: Socket[] = [];
        for (let count = 0; count < 12; count += 1) deaf.push(await openDeaf());
        await waitFor("some to be closed", async () => Number(await closedFor("unsent")) > 0, TIMEOUT_MS);
        await waitFor(
          "the others' share",
          async () => (await gauge("geolookup_responses_unsent")) <= maxInFlight / 8,
          TIMEOUT_MS,
        );
        for (let count = 0; count < 20; count += 1)
          expect(await readAll(await app.open(LAST_REQUEST)), "of another caller").to.match(/^HTTP\/1\.1 200 /);
      });
    });
  }

  it("leave nothing behind that a minor garbage collection would have to keep", () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", GARBAGE_PROCESS], { encoding: "utf8" });
    expect(stdout).to.match(/^-?\d+$/);
    expect(Number(stdout)).to.be.below(MAX_LEFT_BYTES);
  });
});
