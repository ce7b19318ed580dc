import { setTimeout } from "node:timers/promises";
import type { Located, Locator } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import type { Client } from "@grpc/grpc-js";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { endsBefore } from "../../../../test/harness/ends-before.ts";
import { startTcpProxy, type TcpProxy } from "../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type FakeNode, startNode, targetOf } from "../testing/start-node.ts";
import { connectGeo } from "./geo-client.ts";

const IP = "192.0.2.1";
const DEADLINE_MS = 250;
/** A node that has the processor takes a tenth of it. */
const SOON_MS = 20;
/** What a machine with two busy cores may add. */
const SLACK_MS = 250;
const RETURN_MS = 30_000;
/** When cached records are no longer used, after the last response. */
const STALE_AFTER_MS = 250;
/** Lookups in separate turns of the event loop, so that calls rotate among the nodes. */
const TURNS = 40;
const TURN_MS = 10;

describe("connectGeo", function () {
  // Processes start and stop here, and a busy machine takes its time.
  this.timeout(90_000);
  let first: FakeNode;
  let second: FakeNode;
  let proxy: TcpProxy;
  let locator: Locator;
  let registry: Registry;
  let opened: AsyncDisposableStack;
  /** Past what is tested here, to the first and to the second node. */
  let direct: [Client, Client];

  before(async () => {
    [first, second] = await Promise.all([startNode("First"), startNode("Second")]);
  });
  after(() => Promise.all([first, second].map((node) => node[Symbol.asyncDispose]())));
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    proxy = opened.use(await startTcpProxy(first.port));
    direct = [opened.use(openClient(targetOf(first.port))), opened.use(openClient(targetOf(second.port)))];
    registry = new Registry();
    locator = opened.use(connectGeo(targetOf(proxy.port, second.port), createLog("test", "error"), registry));
    await waitFor("both nodes to respond", async () => (await citiesOf(locator)).size === 2, RETURN_MS);
  });
  afterEach(async () => {
    for (const { child } of [first, second]) child.kill("SIGCONT");
    await opened.disposeAsync();
  });

  const metric = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  const nodes = async () =>
    Object.fromEntries(
      ((await registry.getSingleMetric("geolookup_geo_nodes")?.get())?.values ?? []).map(({ labels, value }) => [
        labels.state,
        value,
      ]),
    );

  const losses: readonly (readonly [name: string, lose: () => void, back: (() => void) | null])[] = [
    ["stopped", () => first.child.kill("SIGSTOP"), () => first.child.kill("SIGCONT")],
    ["black-holed", () => proxy.blackhole(), () => proxy.open()],
    ["killed", () => first.child.kill("SIGKILL"), null],
  ];
  for (const [name, lose, back] of losses) {
    it(`one node of two ${name}: every lookup is located in time`, async () => {
      lose();
      let fairTurns = 0;
      for (let turn = 0; turn < TURNS || fairTurns === 0; turn += 1) {
        const { cities, tookMs, fair } = await turnOf(locator, [direct[1]]);
        if (!fair) continue;
        fairTurns += 1;
        expect([...cities]).to.deep.equal(["Second"]);
        expect(tookMs).to.be.below(DEADLINE_MS);
      }
      const calm = fairTurns === TURNS;
      if (name !== "killed" && calm) expect(await metric("geolookup_geo_hedges_total")).to.be.at.least(1);
      const isLost = async () => JSON.stringify(await nodes()) === '{"responding":1,"unresponsive":1}';
      await waitFor("only the lost node to be unresponsive", isLost, RETURN_MS);
      if (calm) expect(await metric("geolookup_geo_call_failures_total"), "failures").to.equal(0);
      if (back) back();
      else first = await startNode("First", first.port);
      await waitFor("the lost node to respond again", async () => (await citiesOf(locator)).has("First"), RETURN_MS);
    });
  }

  it("all nodes stopped: unreachable within the deadline, then immediately, until they are back", async () => {
    for (const node of [first, second]) node.child.kill("SIGSTOP");
    const startedAt = performance.now();
    const [located, timerMs] = await Promise.all([locator.locate(IP), timer(DEADLINE_MS)]);
    expect(located).to.deep.include({ reason: "unreachable" });
    // Beside a timer, which a busy machine lets ring late as well.
    expect(performance.now() - startedAt).to.be.within(DEADLINE_MS - 60, timerMs + SLACK_MS);
    const isUnreachable = async () => expect((await locator.locate(IP)).reason).to.equal("unreachable");
    for (let turn = 0; turn < 100; turn += 1) expect(await endsBefore(DEADLINE_MS, isUnreachable)).to.equal(true);
    expect(await nodes()).to.deep.equal({ responding: 0, unresponsive: 2 });
    expect(await metric("geolookup_geo_call_failures_total")).to.be.at.least(100);
    for (const node of [first, second]) node.child.kill("SIGCONT");
    await waitFor("both nodes to respond", async () => (await citiesOf(locator)).size === 2, RETURN_MS);
  });

  it("both nodes restarted one after the other: every lookup is located", async () => {
    let over = false;
    const cities = new Set<string | null>();
    const asking = (async () => {
      while (!over) {
        const [turn] = await Promise.all([turnOf(locator, direct), setTimeout(TURN_MS)]);
        for (const city of turn.cities) if (city !== null || turn.fair) cities.add(city);
      }
    })();
    try {
      for (const which of ["First", "Second"]) {
        const node = which === "First" ? first : second;
        node.child.kill("SIGTERM");
        await node.child.exited;
        const again = await startNode(which, node.port);
        if (which === "First") first = again;
        else second = again;
        // As in a rolling restart: the next node stops once this one is known to be back.
        await waitFor("both nodes to be known", async () => (await nodes()).responding === 2, RETURN_MS);
      }
    } finally {
      over = true;
    }
    await asking;
    expect([...cities].sort()).to.deep.equal(["First", "Second"]);
  });

  it("knows the length of a record in UTF-8", async () => {
    const { record } = await locator.locate(IP);
    expect(record.members).to.include("Curaçao");
    expect([record.memberBytes, record.freeBytes]).to.deep.equal([
      Buffer.byteLength(record.members),
      Buffer.byteLength(record.free),
    ]);
  });

  describe("with one node", () => {
    let node: FakeNode;
    before(async () => {
      node = await startNode("Alone");
    });
    after(() => node[Symbol.asyncDispose]());

    it("an invalid record: the address is unknown", async () => {
      using alone = connectGeo(targetOf(node.port), createLog("test", "error"), new Registry());
      await waitFor("it to respond", async () => cityOf(await alone.locate(IP)) === "Alone", RETURN_MS);
      const expected = { record: recordText(UNKNOWN_PLACE), reason: "unreachable" };
      expect(await alone.locate("192.0.2.66")).to.deep.equal(expected);
    });

    it("how exact and old records are, if that is asked for, but nothing that isn't valid in a header", async () => {
      const accuracies = async (options?: Parameters<typeof connectGeo>[3]) => {
        using geo = connectGeo(targetOf(node.port), createLog("test", "error"), new Registry(), options);
        await waitFor("it to respond", async () => cityOf(await geo.locate(IP)) === "Alone", RETURN_MS);
        const located = [await geo.locate(IP), await geo.locate("9.9.9.67")];
        return located.map(({ record }) => record.accuracy);
      };
      expect(await accuracies({ wantsAccuracies: true })).to.deep.equal(["radius=5; built=2026-11-01", ""]);
      expect(await accuracies()).to.deep.equal(["", ""]);
    });

    it("caches records by network while the node responds and has the same data", async () => {
      const own = new Registry();
      using alone = connectGeo(targetOf(node.port), createLog("test", "error"), own);
      await waitFor("it to respond", async () => cityOf(await alone.locate("192.0.2.1")) === "Alone", RETURN_MS);
      const counted = async (name: string) => (await own.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
      const hits = () => counted("geolookup_network_cache_hits_total");
      /** The locations of all addresses of a network, looked up together. */
      const network = () => Promise.all(Array.from({ length: 256 }, (_, last) => alone.locate(`44.1.2.${last}`)));
      await alone.locate("44.1.2.1");
      const needsNoCalls = async () => {
        const before = await hits();
        expect(new Set((await network()).map(cityOf))).to.deep.equal(new Set(["Alone"]));
        return (await hits()) - before >= 255;
      };
      await waitFor("a network's lookups without calls", needsNoCalls, RETURN_MS);
      const before = await hits();
      await Promise.all([alone.locate("192.0.2.1"), alone.locate("192.0.2.1")]);
      expect(await hits(), "lookups of addresses whose network has several records").to.equal(before);

      // So the next lookup is the revalidation, and the one after it would be a hit.
      await setTimeout(30);
      expect(await alone.locate("192.0.2.66"), "an invalid response").to.include({ reason: "unreachable" });
      const beforeFailure = await hits();
      await alone.locate("44.1.2.1");
      expect(await hits(), "lookups right after a failed call").to.equal(beforeFailure);

      node.child.kill("SIGUSR2");
      const changed = async () => (await network()).map(cityOf).every((city) => city === "Alone again");
      await waitFor("all to have the new data", changed, RETURN_MS);
      expect(await changed()).to.equal(true);

      node.child.kill("SIGSTOP");
      await setTimeout(STALE_AFTER_MS);
      expect(new Set((await network()).map(({ reason }) => reason))).to.deep.equal(new Set(["unreachable"]));
    });
  });
});

/** How long a timer took (ms). */
async function timer(delayMs: number): Promise<number> {
  const startedAt = performance.now();
  await setTimeout(delayMs);
  return performance.now() - startedAt;
}

/**
 * Makes ten lookups, and meanwhile calls the nodes directly. A turn is fair if one of them always responded soon: on a busy
 * machine, a late response isn't the client's fault.
 */
async function turnOf(locator: Locator, clients: readonly Client[]) {
  const startedAt = performance.now();
  let tookMs: number | undefined;
  const batch = Promise.all(Array.from({ length: 10 }, () => locator.locate(IP))).finally(() => {
    tookMs = performance.now() - startedAt;
  });
  let fair = true;
  do {
    const sentAtMs = performance.now();
    const responses = clients.map((client) =>
      callUnary(client, GEO.Locate, { addresses: [IP] }, { deadlineMs: RETURN_MS }),
    );
    const responded = await Promise.any(responses).catch(() => null);
    if (responded === null || performance.now() - sentAtMs > SOON_MS) fair = false;
  } while (tookMs === undefined);
  return { cities: new Set((await batch).map(cityOf)), tookMs, fair };
}

/** The cities that a few lookups in separate turns find. */
async function citiesOf(locator: Locator): Promise<Set<string | null>> {
  const cities = new Set<string | null>();
  for (let turn = 0; turn < 6; turn += 1) cities.add(cityOf(await locator.locate(IP)));
  return cities;
}

function cityOf({ record }: Located): string | null {
  return JSON.parse(`{${record.members}}`).city;
}
