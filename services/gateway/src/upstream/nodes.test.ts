import dns from "node:dns";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { expect } from "chai";
import { pino } from "pino";
import { endsBefore } from "../../../../test/harness/ends-before.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { chooseNode, type GrpcNodes, type NodeState, openNodes } from "./nodes.ts";

const DEADLINE_MS = 5_000;
const log = pino({ level: "silent" });

describe("openNodes", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  /** A geo service that places all addresses in one city. */
  const start = async (city: string, fail?: () => Error | undefined) => {
    const locate = () => {
      const error = fail?.();
      if (error) throw error;
      return { records: { members: [city] } };
    };
    const services = [serve(GEO, { Locate: locate })];
    const server = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, services, log }));
    server.setServing(true);
    return server;
  };
  const open = (target: string, deadlineMs = DEADLINE_MS, nodesLog: Logger = log) =>
    opened.use(openNodes({ target, deadlineMs, hedgeAfterMs: 60, onHedge: () => {}, log: nodesLog }));
  const cityOf = async (nodes: GrpcNodes) => {
    const { records } = await nodes.call(GEO.Locate, { addresses: ["-"] });
    return records?.members[0];
  };
  const citiesOf = async (nodes: GrpcNodes) => {
    const cities = new Set<string | undefined>();
    for (let turn = 0; turn < 6; turn += 1) cities.add(await cityOf(nodes));
    return [...cities].sort();
  };
  const failureOf = (nodes: GrpcNodes) =>
    cityOf(nodes).then(
      () => null,
      (error: unknown) => error as ServiceError,
    );

  const targets: readonly ((port: number) => string)[] = [
    (port) => `127.0.0.1:${port}`,
    (port) => `localhost:${port}`,
    (port) => `dns:///localhost:${port}`,
    (port) => `dns:127.0.0.1:${port}`,
    (port) => `ipv4:127.0.0.1:${port}`,
  ];
  for (const target of targets) {
    it(`reaches ${target(50051)}`, async () => {
      const { port } = await start("Here");
      expect(await cityOf(open(target(port)))).to.equal("Here");
    });
  }

  it("rotates among its nodes, without one that stops serving", async () => {
    const [first, second] = [await start("First"), await start("Second")];
    const nodes = open(`ipv4:127.0.0.1:${first.port},127.0.0.1:${second.port}`);
    await waitFor("both nodes", async () => (await citiesOf(nodes)).length === 2, DEADLINE_MS);
    await first[Symbol.asyncDispose]();
    expect(await citiesOf(nodes)).to.deep.equal(["Second"]);
  });

  it("calls another node if one is unavailable", async () => {
    let calls = 0;
    const refusing = await start("Never", () => {
      calls += 1;
      return new ServiceError("unavailable", "not caught up");
    });
    const { port } = await start("Second");
    const nodes = open(`ipv4:127.0.0.1:${refusing.port},127.0.0.1:${port}`);
    await waitFor("the refusing node to be called", async () => (await citiesOf(nodes)) && calls > 0, DEADLINE_MS);
    expect(await citiesOf(nodes)).to.deep.equal(["Second"]);
  });

  it("fails immediately with a node's own error if all nodes have one", async () => {
    const { port } = await start("Never", () => new ServiceError("invalid", "no such address"));
    const nodes = open(`127.0.0.1:${port}`);
    const fails = async () =>
      expect(await failureOf(nodes)).to.include({ code: "invalid", message: "no such address" });
    expect(await endsBefore(DEADLINE_MS, fails)).to.equal(true);
  });

  it("fails in time for a name without an address, then immediately", async () => {
    const deadlineMs = 200;
    const nodes = open("nowhere.invalid:50051", deadlineMs);
    const fails = async () =>
      expect(await failureOf(nodes))
        .to.be.instanceOf(ServiceError)
        .and.include({ code: "unavailable" });
    await fails();
    expect(await endsBefore(deadlineMs, fails)).to.equal(true);
  });

  it("resolves a name every second, and logs once when that starts to fail, and once when it works again", async function () {
    this.timeout(2 * DEADLINE_MS);
    const { port } = await start("Here");
    const lines: { level: number; target: string; reason?: string }[] = [];
    const listening = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    const original = dns.promises.lookup;
    let lookups = 0;
    let isKnown = false;
    const lookup = async () => {
      lookups += 1;
      if (!isKnown) throw new Error("getaddrinfo ENOTFOUND");
      return [{ address: "127.0.0.1", family: 4 }];
    };
    Object.assign(dns.promises, { lookup });
    try {
      const target = `somewhere.invalid:${port}`;
      const nodes = open(target, 200, listening);
      // With a growing delay, the fourth would take 5 s.
      await waitFor("four lookups", () => lookups >= 4, 4_500);
      isKnown = true;
      await waitFor("a response", async () => (await failureOf(nodes)) === null, DEADLINE_MS);
      expect(lines.map(({ level }) => level)).to.deep.equal([40, 30]);
      expect(lines[0]?.target).to.equal(target);
      expect(lines[0]?.reason).to.include("somewhere.invalid");
    } finally {
      Object.assign(dns.promises, { lookup: original });
    }
  });
});

interface Named extends NodeState {
  name: string;
}

/** `A` responds and is connected, `a` responds, `B` and `b` too but are behind, `.` is unresponsive. */
function nodesOf(states: string): Named[] {
  return [...states].map((state, index) => ({
    name: String(index),
    isResponding: state !== ".",
    isConnected: state === "A" || state === "B",
    isBehind: state === "B" || state === "b",
  }));
}

describe("chooseNode", () => {
  const cases: readonly (readonly [
    states: string,
    tried: string,
    turn: number,
    respondingOnly: boolean,
    chosen: string | undefined,
  ])[] = [
    ["AAA", "", 0, false, "0"],
    ["AAA", "", 4, false, "1"],
    ["AAA", "1", 4, false, "2"],
    ["A.A", "", 1, false, "2"],
    ["aA", "", 0, false, "1"],
    ["a.", "", 1, false, "0"],
    ["..", "", 1, false, "1"],
    ["..", "1", 1, false, "0"],
    ["..", "", 1, true, undefined],
    [".a", "", 0, true, "1"],
    ["A.", "0", 0, true, undefined],
    ["BA", "", 0, false, "1"],
    ["Ba", "", 0, false, "1"],
    ["bB", "", 0, false, "1"],
    ["B.", "", 1, false, "0"],
    ["BA", "1", 0, true, "0"],
    ["A.", "0", 0, false, "1"],
    ["AA", "01", 0, false, undefined],
    ["", "", 3, false, undefined],
  ];
  for (const [states, tried, turn, respondingOnly, chosen] of cases) {
    it(`of "${states}" without "${tried}", turn ${turn}${respondingOnly ? ", responding only" : ""}: ${chosen}`, () => {
      const nodes = nodesOf(states);
      const without = new Set(nodes.filter(({ name }) => tried.includes(name)));
      expect(chooseNode(nodes, without, turn, respondingOnly)?.name).to.equal(chosen);
    });
  }
});
