import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { KEY, readAll, startSmallApp } from "../testing/small-app.ts";

const TIMEOUT_MS = 10_000;

describe("limits on connections of the public port", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  let sockets: Socket[];
  beforeEach(() => {
    sockets = [];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await app[Symbol.asyncDispose]();
  });

  /** @param trusted whether the client is a trusted proxy. */
  const start = async (trusted: boolean) => {
    app = await startSmallApp({ settings: { maxConnections: 20, trusts: () => trusted } });
  };
  const closedFor = async (reason: string) => {
    const { values = [] } = (await app.registry.getSingleMetric("geolookup_connections_closed_total")?.get()) ?? {};
    return values.find(({ labels }) => labels.reason === reason)?.value;
  };
  const open = async (count: number, host = "127.0.0.1") => {
    for (let opened = 0; opened < count; opened += 1) {
      const socket = connect({ port: Number(new URL(app.url).port), host: "127.0.0.1", localAddress: host });
      socket.on("error", () => {}).resume();
      sockets.push(socket);
      await once(socket, "connect");
    }
  };

  it("give one client a quarter; others can still connect, and so can it after closing one", async () => {
    await start(false);
    await open(8);
    await waitFor("what is too much to be closed", async () => (await closedFor("client")) === 3, TIMEOUT_MS);
    await open(5, "127.0.0.2");
    expect(await closedFor("client")).to.equal(3);
    sockets[0]?.destroy();
    await waitFor("room", async () => (await fetch(`${app.url}/v1/geo`).catch(() => null))?.status === 200, TIMEOUT_MS);
  });

  it("let a trusted proxy use all of them, and no more", async () => {
    await start(true);
    await open(25);
    await waitFor("what is too much to be closed", async () => (await closedFor("too_many")) === 5, TIMEOUT_MS);
    expect(await closedFor("client")).to.equal(0);
  });

  it("keep idle connections for KEEP_ALIVE_SECONDS, and for 65 s while more than half of all places are taken", async () => {
    app = await startSmallApp({ settings: { maxConnections: 4, trusts: () => true, keepAliveSeconds: 4_010 } });
    const keptMs = () => app.server.keepAliveTimeout;
    await open(2);
    const { headers } = await fetch(`${app.url}/v1/geo`, { headers: { Connection: "close" } });
    expect(headers.get("Connection")).to.equal("close");
    await waitFor("that one to be closed", () => keptMs() === 4_010_000, TIMEOUT_MS);
    await open(1);
    await waitFor("a shorter time", () => keptMs() === 65_000, TIMEOUT_MS);
    sockets[0]?.destroy();
    await waitFor("the whole time", () => keptMs() === 4_010_000, TIMEOUT_MS);
  });

  it("never keep them longer than KEEP_ALIVE_SECONDS, which responses announce", async () => {
    app = await startSmallApp({ settings: { maxConnections: 2, trusts: () => true, keepAliveSeconds: 5 } });
    await open(2);
    await waitFor("both to be open", () => sockets.length === 2 && app.server.keepAliveTimeout === 5_000, TIMEOUT_MS);
    const socket = sockets.shift() as Socket;
    socket.write(`GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [received] = (await once(socket, "data")) as [Buffer];
    expect(received.toString()).to.include("\r\nKeep-Alive: timeout=5\r\n");
  });

  it("count a connection with upgrade requests once", async () => {
    await start(false);
    const upgrade = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const socket = await app.open(`${upgrade.repeat(20)}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect((await readAll(socket)).match(/HTTP\/1\.1 200/g)).to.have.length(21);
    await open(4);
    expect((await fetch(`${app.url}/v1/geo`)).status).to.equal(200);
    expect(await closedFor("client")).to.equal(0);
  });
});
