import type { Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { GRANT, KEY, readAll, startSmallApp, testCertificate } from "../testing/small-app.ts";
import { connectionMetrics } from "./testing/connection-metrics.ts";

const TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 40;
const NEVER_MS = 60_000;
/** Ten checks without progress end a connection. */
const STALL_TIMEOUT_MS = 10 * CHECK_INTERVAL_MS;
const REQUEST = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`;
const LAST_REQUEST = REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
/** The kernel buffers some megabytes for a caller that doesn't read. 20 of these responses are more. */
const LARGE_RESPONSE_BYTES = 1_000_000;
const REQUESTS = 20;

describe("connections of callers that read slowly", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  afterEach(async () => app?.[Symbol.asyncDispose]());
  const closedFor = (reason: string) => connectionMetrics(app.registry).closedFor(reason);
  const unsent = () => connectionMetrics(app.registry).sum("geolookup_responses_unsent");

  for (const [name, certificate] of [
    ["", () => null],
    [" over TLS", testCertificate],
  ] as const) {
    it(`a caller that reads keeps its connection${name}, even with many waiting requests`, async () => {
      app = await startSmallApp({ settings: { certificate: certificate(), maxInFlight: 10 } });
      const sockets = await Promise.all(Array.from({ length: 3 }, () => app.open(REQUEST.repeat(20) + LAST_REQUEST)));
      for (const received of await Promise.all(sockets.map(readAll)))
        expect(received.match(/HTTP\/1\.1 200 /g)).to.have.length(21);
      expect(await closedFor("unsent")).to.equal(0);
    });

    describe(`if the caller doesn't read${name}`, () => {
      const start = async (settings: { maxInFlight: number; checkIntervalMs: number }) => {
        app = await startSmallApp({
          settings: { ...settings, certificate: certificate() },
          addressOf: () => "1".repeat(LARGE_RESPONSE_BYTES),
          parts: { authorizer: { authorize: () => ({ outcome: "granted", grant: { ...GRANT, fields: "paid" } }) } },
        });
      };
      const openUnread = async () => {
        const socket = await app.open(REQUEST.repeat(REQUESTS));
        socket.pause();
        return socket;
      };

      it("no request starts while more than 16 kB are unsent", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: NEVER_MS });
        const socket = await openUnread();
        await waitFor("the first lookups", () => app.counted() > 0, TIMEOUT_MS);
        await waitFor(
          "no more to start",
          async () => {
            const before = app.counted();
            await readAll(await app.open(LAST_REQUEST.replace("/v1/geo", "/nowhere")));
            return app.counted() === before;
          },
          TIMEOUT_MS,
        );
        expect(app.counted()).to.be.below(REQUESTS);
        expect(await unsent()).to.be.at.most(1);
        expect(app.inFlight()).to.equal(0);
        let bytes = 0;
        socket.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        socket.resume();
        await waitFor("all, once it reads", () => bytes > REQUESTS * LARGE_RESPONSE_BYTES, TIMEOUT_MS);
        expect(app.counted()).to.equal(REQUESTS);
      });

      it("its connection is closed after a while without progress", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: CHECK_INTERVAL_MS });
        await openUnread();
        await waitFor("its end", async () => (await closedFor("stalled")) === 1, TIMEOUT_MS);
        expect(app.inFlight()).to.equal(0);
      });

      it("its connection stays open while there is progress", async () => {
        await start({ maxInFlight: 1_000, checkIntervalMs: CHECK_INTERVAL_MS });
        const socket = await openUnread();
        const since = performance.now();
        let bytes = 0;
        let mayRead = 0;
        socket.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          mayRead -= chunk.length;
          if (mayRead <= 0) socket.pause();
        });
        // The kernel reports free space to the gateway only when there is a lot.
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

      it("such connections hold at most an eighth of MAX_IN_FLIGHT in total; those without progress for longest are closed", async () => {
        const maxInFlight = 32;
        await start({ maxInFlight, checkIntervalMs: NEVER_MS });
        const unread: Socket[] = [];
        for (let count = 0; count < 12; count += 1) unread.push(await openUnread());
        await waitFor("some to be closed", async () => Number(await closedFor("unsent")) > 0, TIMEOUT_MS);
        await waitFor("the others' share", async () => (await unsent()) <= maxInFlight / 8, TIMEOUT_MS);
        for (let count = 0; count < 20; count += 1)
          expect(await readAll(await app.open(LAST_REQUEST)), "of another caller").to.match(/^HTTP\/1\.1 200 /);
      });
    });
  }
});
