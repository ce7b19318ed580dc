import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type NatsServer, startNatsServer } from "../../../../../test/harness/nats-server.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { startOpsServer } from "../http/ops-server.ts";
import { type NatsLink, openNats } from "./connection.ts";
import { type StreamInfo, withQuorum } from "./stream.ts";

const DEADLINE_MS = 8_000;
/** The promise for a server that isn't responding to JetStream requests. */
const MOVE_MS = 10_000;

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

  it("has a metric, which `/readyz` reads, while there is no server or JetStream isn't responding", async () => {
    const registry = new Registry();
    const folder = tempFolder();
    const config = join(folder, "nats.conf");
    writeFileSync(config, "");
    const plain = opened.use(await startNatsServer({ config, folder }));
    const ops = { registry, host: "127.0.0.1", port: 0, ready: () => true, status: { service: "test", version: "1" } };
    const { port } = opened.use(await startOpsServer(ops));
    const readiness = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return `${response.status} ${(await response.text()).trim().replace(/:.*/, "")}`;
    };
    link = opened.use(openNats({ url: plain.url, name: "test", log: pino({ level: "silent" }), registry }));
    const connection = await link.connected();
    expect(await readiness()).to.equal("200 ready");
    const request = async () => (await connection.jetStream(100)).findStream("KEYS");
    for (let count = 0; count < 3; count += 1) await request().catch(() => undefined);
    expect([link.isUp(), await readiness()]).to.deep.equal([true, "200 ready, but without NATS"]);
    await plain.stop();
    await waitFor("the loss", () => !link.isUp(), DEADLINE_MS);
    expect(await readiness()).to.equal("200 ready, but without NATS");
  });

  it("moves to another server if JetStream doesn't respond through this one", async function () {
    this.timeout(MOVE_MS + DEADLINE_MS);
    const folder = tempFolder();
    const config = join(folder, "nats.conf");
    writeFileSync(config, 'server_name: cut-off\ncluster { name: test, listen: "127.0.0.1:-1" }\n');
    const cutOff = opened.use(await startNatsServer({ config, folder }));
    await server.stop();
    const registry = new Registry();
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    link = opened.use(openNats({ url: `${cutOff.url},${server.url}`, name: "test", log, registry }));
    const first = await link.connected();
    await server.restart();
    const startedMs = performance.now();
    await waitFor(
      "a connection to the other server",
      async () => {
        const connection = await link.connected();
        const jetStream = await connection.jetStream(1_000);
        await jetStream.findStream("KEYS");
        return connection !== first;
      },
      MOVE_MS,
      100,
    );
    expect(performance.now() - startedMs).to.be.below(MOVE_MS);
    expect(lines.find(({ msg }) => msg === "NATS connection lost")?.reason).to.match(
      /didn't respond to 3 JetStream req/,
    );
    expect((await registry.getSingleMetric("geolookup_nats_moves_total")?.get())?.values[0]?.value).to.equal(1);
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

describe("withQuorum", () => {
  const info = (...replicas: [active: number, offline?: boolean][]): StreamInfo => ({
    ...{ config: { name: "KEYS", num_replicas: replicas.length + 1 }, created: "" },
    state: { messages: 0, first_seq: 0, last_seq: 0 },
    ...(replicas.length > 0 && {
      cluster: { replicas: replicas.map(([seconds, offline = false]) => ({ active: seconds * 1e9, offline })) },
    }),
  });
  const cases: readonly (readonly [name: string, info: StreamInfo, hasQuorum: boolean])[] = [
    ["a single server", info(), true],
    ["all replicas in touch", info([0.5], [1]), true],
    ["one of two in touch", info([60], [1]), true],
    ["none of two in touch", info([5], [5]), false],
    ["one offline, the other silent", info([0.1, true], [5]), false],
    ["two of four in touch", info([1], [1], [9], [9]), true],
    ["one of four in touch", info([1], [9], [9], [9]), false],
  ];
  for (const [name, given, hasQuorum] of cases)
    it(`${name}: ${hasQuorum ? "quorum" : "none"}`, () => {
      if (hasQuorum) expect(withQuorum(given)).to.equal(given);
      else expect(() => withQuorum(given)).to.throw("cut off");
    });
});
