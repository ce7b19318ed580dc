import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { type NatsLink, openNats } from "./connection.ts";

const DEADLINE_MS = 8_000;

describe("the link to NATS", () => {
  let opened: AsyncDisposableStack;
  let server: NatsServer;
  let link: NatsLink;
  let lines: string[];
  const open = () => {
    lines = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    link = opened.use(openNats({ url: server.url, name: "test", log }));
    return link;
  };
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = opened.use(await startNatsServer({ isEmpty: true }));
  });
  afterEach(() => opened.disposeAsync());

  it("waits for a server that isn't up yet, and logs that once", async () => {
    await server.stop();
    open();
    await waitFor("the first attempt to fail", () => lines.length > 0, DEADLINE_MS);
    expect(link.isUp()).to.equal(false);
    await server.restart();
    const connection = await link.connected();
    expect(link.isUp()).to.equal(true);
    expect(connection.raw.info?.jetstream).to.equal(true);
    expect(lines).to.deep.equal(["NATS is unreachable; retrying", "connected to NATS"]);
  });

  it("survives writes to a connection that NATS is closing", async () => {
    open();
    const flood = setInterval(async () => {
      const { raw } = await link.connected();
      if (!raw.isClosed()) raw.publish("flood", Buffer.alloc(2 ** 18));
    }, 0);
    for (let restart = 0; restart < 3; restart++) {
      await link.connected();
      await server.restart();
      await waitFor("the return", () => link.isUp(), DEADLINE_MS);
    }
    clearInterval(flood);
  });

  it("reports every loss and return; requests in flight on a lost connection fail at once", async () => {
    open();
    const changes: boolean[] = [];
    link.onStatus((isUp) => changes.push(isUp));
    const first = await link.connected();
    first.raw.subscribe("silence");
    const request = first.raw.request("silence", "", { timeout: 60_000 }).catch((error: Error) => error);
    await first.raw.flush();
    await server.kill();
    expect(await request).to.be.instanceOf(Error);
    await waitFor("the loss to be seen", () => !link.isUp(), DEADLINE_MS);
    await server.restart();
    const second = await link.connected();
    expect(second).not.to.equal(first);
    await second.raw.flush();
    expect(changes).to.deep.equal([true, false, true]);
  });

  it("detects an unresponsive server, even with much unsent data, and reconnects", async () => {
    open();
    const connection = await link.connected();
    await server.kill("SIGSTOP");
    for (let i = 0; i < 64; i++) connection.raw.publish("flood", Buffer.alloc(2 ** 18));
    await waitFor("the silence to be noticed", () => !link.isUp(), DEADLINE_MS);
    await server.kill("SIGCONT");
    await waitFor("the return", () => link.isUp(), DEADLINE_MS);
    await (await link.connected()).raw.flush();
  });

  it("can be closed twice, with and without a server, and rejects waiting callers", async () => {
    await server.stop();
    open();
    const waiting = link.connected().catch((error: unknown) => error);
    await link[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
    expect(await waiting).to.include({ code: "unavailable" });
    expect(await link.connected().catch((error: unknown) => error)).to.include({ code: "unavailable" });

    await server.restart();
    open();
    await link.connected();
    await link[Symbol.asyncDispose]();
    expect(link.isUp()).to.equal(false);
  });
});
