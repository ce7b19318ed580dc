import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { type DriveOptions, drive } from "./drive.ts";

describe("driving a load", () => {
  let server: Server | undefined;
  let served = 0;
  const load = async (
    handler: RequestListener,
    options: Partial<DriveOptions>,
    onConnection: (socket: Socket) => void = () => {},
  ) => {
    served = 0;
    server = createServer((req, res) => {
      served += 1;
      handler(req, res);
    })
      .on("connection", onConnection)
      .listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const nextRequest = () => "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    return drive({ port, connections: 4, durationMs: 300, pace: { kind: "closed" }, nextRequest, ...options });
  };
  afterEach(() => server?.close());

  it("counts exactly the server's responses, by status", async () => {
    const handler: RequestListener = (_req, res) => {
      res.statusCode = served % 3 === 0 ? 429 : 200;
      res.end("body");
    };
    const { statuses, latency, failures } = await load(handler, {});
    expect((statuses[200] ?? 0) + (statuses[429] ?? 0)).to.equal(served);
    expect(statuses[429]).to.equal(Math.floor(served / 3));
    expect(latency.count).to.equal(statuses[200]);
    expect(failures).to.deep.equal({});
  });

  it("reads responses that arrive in pieces", async () => {
    const handler: RequestListener = (_req, res) => {
      res.writeHead(200, { "Content-Length": 40_000 }).write("x".repeat(20_000));
      setImmediate(() => res.end("x".repeat(20_000)));
    };
    const { statuses } = await load(handler, {});
    expect(served).to.be.above(4);
    expect(statuses).to.deep.equal({ 200: served });
  });

  it("reports connections that end", async () => {
    const { failures } = await load((_req, res) => void res.destroy(), {});
    expect(failures).to.deep.equal({ "the connection was closed": 4 });
  });

  it("reads the length of a response in its head only, however it is spelled", async () => {
    for (const name of ["Content-Length", "content-length", "CONTENT-LENGTH"]) {
      const handler: RequestListener = (_req, res) =>
        void res.writeHead(429, { [name]: 20, "X-A": "b" }).end("Content-Length: 7777");
      const { statuses, failures } = await load(handler, { durationMs: 50, connections: 1 });
      expect([Object.keys(statuses), failures], name).to.deep.equal([["429"], {}]);
      server?.close();
    }
  });

  it("reports responses of unknown length", async () => {
    const { failures } = await load((_req, res) => void res.write("chunked"), {});
    expect(failures).to.deep.equal({ "the length of a response differs from its head": 4 });
  });

  it("an open load counts a pause of the server for every request that arrived during it", async () => {
    // At 1,000 requests a second, all that arrive in the first 200 ms find the only connection busy for 300 ms.
    const handler: RequestListener = async (_req, res) => {
      if (served === 1) await delay(300);
      res.end();
    };
    const open = { pace: { kind: "open", perSecond: 1_000 }, connections: 1, durationMs: 1_000 } as const;
    const { latency } = await load(handler, open);
    expect(latency.percentile(90), "of at most 1,000 requests, the slowest 100").to.be.at.least(100_000);
  });

  it("an open load waits for the responses to its last requests", async () => {
    for (let time = 0; time < 5; time += 1) {
      const open = { pace: { kind: "open", perSecond: 3_000 }, durationMs: 100 } as const;
      const { statuses, failures, latency } = await load((_req, res) => void res.end(), open);
      expect(failures).to.deep.equal({});
      expect([statuses[200], latency.count]).to.deep.equal([served, served]);
      server?.close();
    }
  });

  it("an open load continues without connections that the server closed while idle", async () => {
    const idleOnes: Socket[] = [];
    const handler: RequestListener = (_req, res) => {
      for (const socket of idleOnes.splice(0)) if (socket !== res.socket) socket.destroy();
      res.end();
    };
    const open = { pace: { kind: "open", perSecond: 100 }, connections: 4, durationMs: 300 } as const;
    const { statuses, failures, unsent } = await load(handler, open, (socket) => idleOnes.push(socket));
    // On a busy machine, a request may be sent just as the connection closes. It is reset, and gets no response.
    const { "the connection was closed": closed = 0, ECONNRESET: reset = 0, ...others } = failures;
    expect([closed + reset, others, unsent]).to.deep.equal([3, {}, 0]);
    expect(statuses[200])
      .to.be.within(served - reset, served)
      .and.above(10);
  });

  it("sends every request, even those that found no connection before an open load ended", async () => {
    const open = { pace: { kind: "open", perSecond: 1_000 }, connections: 2, durationMs: 300 } as const;
    const handler: RequestListener = (_req, res) => void setTimeout(() => res.end(), served <= 2 ? 400 : 0);
    const { unsent, statuses, statusesInTime, latency } = await load(handler, open);
    expect([statuses, statusesInTime]).to.deep.equal([{ 200: served }, {}]);
    expect(served).to.be.within(200, 400);
    expect([unsent, latency.count]).to.deep.equal([0, served]);
  });
});
