import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { readAll } from "../testing/small-app.ts";
import { startSmallEdge } from "./testing/small-edge.ts";

const TIMEOUT_MS = 10_000;
const CLOSED = "geolookup_edge_connections_closed_total";
const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

describe("limits of the edge port", () => {
  let edge: Awaited<ReturnType<typeof startSmallEdge>>;
  afterEach(() => edge[Symbol.asyncDispose]());

  it("a client gets a quarter of all connections, and a proxy all of them", async () => {
    for (const [trusts, reason] of [
      [() => false, "client"],
      [() => true, "too_many"],
    ] as const) {
      edge = await startSmallEdge({ settings: { maxConnections: 4, trusts } });
      for (let opened = 0; opened < 5; opened += 1) await edge.open("");
      const expected = reason === "client" ? 4 : 1;
      await waitFor("the others to be closed", async () => (await edge.count(CLOSED, reason)) === expected, TIMEOUT_MS);
      if (reason === "client") await edge[Symbol.asyncDispose]();
    }
  });

  it("headers must arrive within 10 s, and a whole request within 20 s", async () => {
    edge = await startSmallEdge();
    expect(edge.server).to.include({ headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 620_000 });
  });

  for (const [title, text] of [
    ["headers above 2 MB", `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"a".repeat(2_100_000)}\r\n\r\n`],
    ["what isn't HTTP", "hello\r\n\r\n"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ] as const)
    it(`${title}: refused, and the connection is closed`, async () => {
      edge = await startSmallEdge();
      expect(await readAll(await edge.open(text))).to.match(/^HTTP\/1\.1 404 [\s\S]*"not_found"/);
      expect(await edge.count("geolookup_edge_requests_total", "unreadable")).to.equal(1);
    });

  it("headers of 1 MB, and 20,000 of them, are accepted: visitors send them to the proxy", async () => {
    edge = await startSmallEdge();
    for (const headers of [`Cookie: ${"a".repeat(2 ** 20)}\r\n`, "a:\r\n".repeat(20_000)]) {
      const text = `GET / HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`;
      expect(await readAll(await edge.open(text))).to.match(/^HTTP\/1\.1 200 /);
    }
  });

  it("pipelined requests get their responses one after another", async () => {
    edge = await startSmallEdge();
    const last = REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const received = await readAll(await edge.open(REQUEST.repeat(299) + last));
    expect(received.match(/HTTP\/1\.1 200 /g)).to.have.length(300);
    expect(await edge.count(CLOSED, "pipelined")).to.equal(0);
  });

  it("upgrades are ignored, and when it stops, connections are closed after their response", async () => {
    edge = await startSmallEdge();
    const upgrade = REQUEST.replace("\r\n\r\n", "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    const socket = await edge.open(upgrade + REQUEST);
    edge.drain();
    const received = await readAll(socket);
    expect(received).to.match(/HTTP\/1\.1 200 [\s\S]*Connection: close/);
  });
});
