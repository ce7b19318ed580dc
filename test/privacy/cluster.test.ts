import { CALLER_PREFIX } from "@geolookup/gateway/limits/hourly/redis-scripts.ts";
import { expect } from "chai";
import { logLines } from "../harness/child.ts";
import { clusterAdmin } from "../harness/cluster-admin.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { expectRecovered } from "../harness/cluster-health.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { onRedis } from "../harness/cluster-redis.ts";
import type { LoadKey } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import { everythingAtRest, type Found, filesIn, findTraces } from "./at-rest.ts";
import { DOORS, operate } from "./operate.ts";
import { ADDRESSES, sendEverything, UNPARSED } from "./send-everything.ts";

const HOUR_MS = 3_600_000;

describe("a caller's address isn't stored anywhere in the cluster", () => {
  let cluster: ClusterParts;
  let key: LoadKey;
  let closed: LoadKey;
  let revoked: LoadKey;
  /** A key with an hourly limit for each caller. */
  let limited: LoadKey;
  /** Keys, tokens and cookies of customers and operators. */
  const secrets: string[] = [];
  let found: Found[];

  const sendAll = async () => {
    for (const from of ADDRESSES)
      for (const url of cluster.gatewayUrls) await sendEverything(url, from, [key, closed, revoked, limited]);
  };
  const operateFrom = async (addresses: readonly string[], customerKeys: readonly LoadKey[], isWhole: boolean) => {
    for (const [index, from] of addresses.entries()) {
      const customerKey = customerKeys[index]?.key ?? "";
      secrets.push(...(await operate(cluster, from, { run: `run-${secrets.length}`, customerKey, isWhole })));
    }
  };

  before("send addresses through everything, whole and broken", async function () {
    this.timeout(START_TIMEOUT_MS * 2);
    cluster = await prepareCluster(
      { ...DOORS, GATEWAYS: "2", LOG_LEVEL: "debug", ACCESS_LOG: "all", KEYLESS_LIMIT: "20" },
      { hasPortal: true },
    );
    await cluster.startAll();
    const admin = clusterAdmin(cluster);
    const known = await admin.issueKey();
    [key, closed, revoked] = await Promise.all([admin.issueKey(), admin.issueKey("closed"), admin.issueKey()]);
    limited = await admin.issueKey("widget");
    await admin.revoke(revoked.keyId);
    await sendAll();
    const customerKeys = await admin.issueKeys(2);
    await operateFrom(ADDRESSES.slice(0, 2), customerKeys, true);

    // Services log more while others are down.
    const broken = ["redis", "nats", "geo-1", "auth-1", "usage-1"].map((name) => cluster.part(name));
    await Promise.all(broken.map((part) => part.kill()));
    await sendAll();
    await operateFrom(ADDRESSES.slice(2), customerKeys, false);
    await cluster.startAll();
    await expectRecovered(cluster, admin, known);
    await sendAll();
    await waitFor("usage to be recorded", async () => (await admin.usedThisMonth(key.keyId)) > 0, 10_000);
    // A killed gateway leaves its journal.
    await cluster.part("gateway-2").kill();
    found = [...(await everythingAtRest(cluster)), ...filesIn(cluster.part("gateway-2").folder)];
    await cluster.part("gateway-2").start();
  });
  after("stop the cluster", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.stopAll();
  });

  for (const address of [...ADDRESSES, UNPARSED])
    it(`${address}: in no log, file, metric or store, in any notation or plain hash`, () => {
      expect(findTraces(address, found)).to.deep.equal([]);
    });

  it("the search covered logs, files, metrics and stores", () => {
    const requests = logLines(cluster.output()).filter(({ status }) => typeof status === "number");
    expect(requests.length, "lines of the request log").to.be.at.least(ADDRESSES.length * 100);
    const places = found.map(({ where }) => where).join("\n");
    for (const place of [/Redis, /, /nats\/.*KEYS/, /nats\/.*USAGE/, /gateway-2\/.*\.journal/, /metrics of gateway-1/])
      expect(places).to.match(place);
    for (const [stream, text] of [
      ["OPERATORS", "OperatorAdded"],
      ["AUDIT", "SignedIn"],
      ["IDEMPOTENCY", "rotate"],
    ] as const)
      expect(
        found.some((each) => each.where.includes(`/${stream}/`) && each.text.includes(text)),
        stream,
      ).to.equal(true);
    const audit = logLines(cluster.output()).filter(({ msg }) => msg === "audit");
    expect(audit.map(({ by, action }) => `${by} ${action}`)).to.include.members([
      ...[
        "run-0 SignedIn",
        "self-service KeyRotated",
        "run-0 KeyRotated",
        "run-0 CustomerAdded",
        "admin OperatorAdded",
      ],
    ]);
    expect(cluster.output()).to.include("operator header ignored: X-Operator-Secret isn't OPERATOR_HEADER_SECRET");
    const keysInNats = found.some(({ where, text }) => where.includes("nats") && text.includes(key.keyId));
    expect(keysInNats, "NATS stores what can be read").to.equal(true);
  });

  it("no log, file, metric or store contains a key, a token, a session's cookie or the secret of the proxy in front", () => {
    const all = [key.key, limited.key, cluster.adminToken, ...secrets];
    expect(new Set(all).size, "what was used").to.be.above(20);
    for (const { where, text } of found)
      for (const secret of all) expect(text.includes(secret), `${where} holds ${secret.slice(0, 7)}`).to.equal(false);
  });

  it("Redis entries don't reveal a caller's key", () => {
    for (const { where, text } of found)
      if (where.startsWith("Redis")) expect(text.includes(limited.keyId), where).to.equal(false);
    const refused = /geolookup_limit_refusals_total\{limit="caller_hourly"\} [1-9]/;
    expect(
      found.some(({ text }) => refused.test(text)),
      "some were refused",
    ).to.equal(true);
  });

  it("Redis forgets every caller within the hour", async () => {
    await onRedis(cluster.part("redis"), async (client) => {
      let callers = 0;
      for await (const keys of client.scanIterator({ MATCH: `${CALLER_PREFIX}*` }))
        for (const name of keys) {
          callers += 1;
          expect(await client.pTTL(name)).to.be.within(1, HOUR_MS);
        }
      expect(callers, "without a key and with one").to.be.at.least(2 * ADDRESSES.length);
    });
  });
});
