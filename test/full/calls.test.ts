import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { type CountCalls, countGrpcRequests, countNatsMessages, countRedisCommands } from "../harness/calls.ts";
import { clusterAdmin } from "../harness/cluster-admin.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { expectRecovered } from "../harness/cluster-health.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { openConnections } from "../harness/connections.ts";
import { send } from "../harness/http.ts";

/** Requests that arrive together, each on its own connection, and the number of rounds. */
const TOGETHER = 64;
const TIMES = 10;
const REQUESTS = TOGETHER * TIMES;
/** The requests pass through the recording proxy in the meantime. */
const ARRIVAL_MS = 20;

/** The minimum average batch size; usually all requests that arrive together. */
const AT_LEAST_A_CALL = 8;

/** Calls of an idle gateway: probes, flushes, rules. */
const MAX_CALLS_A_SECOND = 20;

interface Counted {
  service: "auth" | "geo" | "usage" | "redis" | "nats";
  count: CountCalls;
}
const COUNTED = {
  auth: { service: "auth", count: countGrpcRequests },
  geo: { service: "geo", count: countGrpcRequests },
  usage: { service: "usage", count: countGrpcRequests },
  redis: { service: "redis", count: countRedisCommands },
  nats: { service: "nats", count: countNatsMessages },
} as const satisfies Record<string, Counted>;
type Asked = keyof typeof COUNTED;
const ASKED = Object.keys(COUNTED) as Asked[];

let networks = 0;

/** An address whose /24 no test has used, in the fixtures' fully placed network 44.0.0.0/12. */
function addressInNewNetwork(): string {
  networks += 1;
  return `44.${8 + (networks >> 8)}.${networks & 255}.1`;
}

describe("calls that a request makes", () => {
  let cluster: ClusterParts;
  let key: string;
  before("start a cluster", async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await prepareCluster({ KEYLESS_LIMIT: "1000000" }, { recorded: true, secure: false });
    await cluster.startAll();
    const admin = clusterAdmin(cluster);
    const known = await admin.issueKey();
    await expectRecovered(cluster, admin, known);
    key = known.key;
  });
  after("stop it", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.stopAll();
  });

  const callsSoFar = () =>
    ASKED.map((asked) => {
      const { service, count }: Counted = COUNTED[asked];
      const connections = cluster.ofKind(service).flatMap((part) => part.sentBy("gateway"));
      return connections.map(count).reduce((sum, calls) => sum + calls, 0);
    });
  const counterOf = async (name: string) => {
    const { text } = await send(cluster.part("gateway-1").opsUrl ?? "", { path: "/metrics" });
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  };
  const journalWrites = () => counterOf("geolookup_usage_journal_writes_total");

  /**
   * Sends all requests and counts the calls that they make.
   * @param batched the services that get one call, or a few, for all requests that arrive together.
   * @param caller returns the address of the next request.
   */
  const expectCalls = async (
    target: () => string,
    status: number,
    batched: readonly Asked[],
    caller: () => string = addressInNewNetwork,
  ) => {
    const [url = ""] = cluster.gatewayUrls;
    const gateway = cluster.part("gateway-1");
    const connections = await openConnections(url, TOGETHER);
    const before = callsSoFar();
    const startedMs = performance.now();
    for (let time = 0; time < TIMES; time += 1) {
      const request = () => `GET ${target()} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${caller()}\r\n\r\n`;
      // However busy the machine is, they arrive together.
      gateway.pause();
      const sent = connections.sendAll(Array.from({ length: TOGETHER }, request));
      await delay(ARRIVAL_MS);
      gateway.resume();
      const responses = await sent;
      for (const response of responses) expect(response).to.include(`HTTP/1.1 ${status} `);
    }
    connections[Symbol.dispose]();
    const seconds = (performance.now() - startedMs) / 1_000;
    const after = callsSoFar();
    for (const [index, asked] of ASKED.entries()) {
      const calls = (after[index] ?? 0) - (before[index] ?? 0);
      const isBatched = batched.includes(asked);
      const most = (1 + seconds) * MAX_CALLS_A_SECOND + (isBatched ? REQUESTS / AT_LEAST_A_CALL : 0);
      expect(calls, `calls of ${asked} for ${REQUESTS} requests`).to.be.within(isBatched ? TIMES : 0, most);
    }
  };

  it("with a cached key: the batched lookup, and one shared write to the journal", async () => {
    const writesBefore = await journalWrites();
    await expectCalls(() => `/v1/geo?key=${key}`, 200, ["geo"]);
    expect((await journalWrites()) - writesBefore).to.be.within(TIMES, REQUESTS / AT_LEAST_A_CALL);
  });

  it("with a cached key, from cached networks: few lookups", async () => {
    const hits = () => counterOf("geolookup_network_cache_hits_total");
    const before = await hits();
    await expectCalls(() => `/v1/geo?key=${key}`, 200, [], freshIpv4);
    // One lookup for each of these networks, and one every 20 ms.
    expect((await hits()) - before).to.be.within(REQUESTS / 2, REQUESTS);
  });

  it("without a key: the batched lookup and the batched limit", async () => {
    await expectCalls(() => "/v1/geo", 200, ["geo", "redis"]);
  });

  it("with a key that wasn't issued: the batched authorization", async () => {
    const made = () => `geo_sk_none${randomBytes(11).toString("hex")}_${randomBytes(11).toString("hex")}`;
    await expectCalls(() => `/v1/geo?key=${made()}`, 401, ["auth"]);
  });
});
