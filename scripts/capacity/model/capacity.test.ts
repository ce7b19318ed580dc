import { expect } from "chai";
import { FIGURE_VALUES } from "../figures.ts";
import type { Load } from "../load.ts";
import { planCapacity } from "./capacity.ts";
import { usedShare } from "./limits.ts";

const LOAD: Load = {
  requestsPerSecond: 10_000,
  keys: 1_000,
  keylessShare: 0.1,
  unknownShare: 0,
  connections: 10_000,
  changesPerSecond: 1,
  requestsPerCaller: 12,
  gatewaysPerKey: Number.POSITIVE_INFINITY,
  regions: 1,
  regionDelaySeconds: 0.2,
  utilization: 0.6,
};
const plan = (changes: Partial<Load> = {}) => planCapacity({ ...LOAD, ...changes }, FIGURE_VALUES);

describe("the capacity model", () => {
  it("needs two of each service for the smallest load", () => {
    const { region } = plan({ requestsPerSecond: 1, connections: 1 });
    expect(region.gateways).to.equal(2);
    for (const { nodes } of [region.geo, region.auth, region.usage]) expect(nodes).to.equal(2);
  });

  it("keeps each gateway and geo node below the share of a core that it may use", () => {
    for (const requestsPerSecond of [1_000, 10_000, 30_000]) {
      const { region } = plan({ requestsPerSecond });
      expect(region.gateway.totalMicros).to.be.at.most(0.6e6);
      expect(region.geo.totalMicros / region.geo.nodes).to.be.at.most(0.6e6);
    }
  });

  it("needs gateways for connections, too", () => {
    expect(plan({ connections: 1_000_000 }).region.gateways).to.equal(Math.ceil(1_000_000 / (10_000 * 0.6)));
  });

  for (const [what, changes, value] of [
    ["more requests: more gateways", { requestsPerSecond: 50_000 }, (each) => each.region.gateways],
    ["more requests: more cores", { requestsPerSecond: 50_000 }, (each) => each.cores],
    ["less use of each core: more gateways", { utilization: 0.3 }, (each) => each.region.gateways],
    ["refused keys: more work for auth", { unknownShare: 0.2 }, (each) => each.region.auth.totalMicros],
    ["more keyless requests: more commands", { keylessShare: 0.5 }, (each) => each.region.redis.commands],
    ["more changes: more messages", { changesPerSecond: 100 }, (each) => each.region.nats.outMessages],
    ["more keys: more bytes", { keys: 50_000 }, (each) => each.region.nats.inBytes],
    ["more regions: a later revocation", { regions: 3 }, (each) => each.exactness.revocationSeconds],
  ] as [string, Partial<Load>, (each: ReturnType<typeof plan>) => number][])
    it(what, () => {
      expect(value(plan(changes))).to.be.above(value(plan()));
    });

  it("counts a command for each part of a script", () => {
    const { region } = plan();
    const scripts = region.gateways * region.gateway.redisScripts;
    // Each script: EVALSHA, GET of the epoch, TIME, PUBSUB NUMSUB, PUBLISH. Each caller: GET, SET. Four probes per second, each of four commands.
    expect(region.redis.commands).to.be.closeTo(5 * scripts + 2 * 1_000 + region.gateways * 16, 1);
  });

  it("sends each usage message to each usage node", () => {
    const { nats, gateways, usage, gateway } = plan().region;
    expect(nats.storedMessages).to.be.closeTo(gateways * gateway.publishing.messagesPerSecond, 0.001);
    expect(nats.outMessages).to.be.above(nats.storedMessages * (1 + usage.nodes));
  });

  it("has exact quotas when each key has one gateway, and bounds them otherwise", () => {
    expect(plan({ gatewaysPerKey: 1 }).exactness).to.include({ quotaSeconds: 0, quotaRequests: 0 });
    const { quotaSeconds, quotaRequests, otherGatewaysShare } = plan().exactness;
    // docs/decisions/quotas-across-gateways.md: flush, refresh and delivery.
    expect(quotaSeconds).to.be.closeTo(2.01, 0.001);
    expect(quotaRequests).to.be.closeTo(9 * otherGatewaysShare * 2.01, 0.01);
    expect(plan({ regions: 2 }).exactness).to.include({ hourlyWithRedis: 2 });
  });

  it("names the limit that a growing load reaches first", () => {
    const { limits } = plan();
    const rates = limits.map(({ requestsPerSecond }) => requestsPerSecond ?? Number.POSITIVE_INFINITY);
    expect(rates).to.deep.equal(rates.toSorted((a, b) => a - b));
    const [first] = limits;
    const at = (factor: number) => {
      const requestsPerSecond = (first?.requestsPerSecond ?? 0) * factor;
      const grown = plan({ requestsPerSecond, connections: requestsPerSecond }).limits;
      return usedShare(
        grown.find(({ limit }) => limit.id === first?.limit.id)?.limit as NonNullable<typeof first>["limit"],
      );
    };
    expect(at(0.9)).to.be.below(1);
    expect(at(1.1)).to.be.above(1);
  });

  it("says that 5,000,000 requests per second are too many, and that quotas aren't bounded then", () => {
    const { limits, exactness } = plan({ requestsPerSecond: 5e6, connections: 5e6, keys: 1e6, regions: 3 });
    expect(limits.filter(({ limit }) => usedShare(limit) > 1).map(({ limit }) => limit.id)).to.include("usage-fold");
    expect(exactness.quotaSeconds).to.equal(null);
  });

  it("gives finite numbers for extreme loads", () => {
    for (const requestsPerSecond of [1, 1e6, 1e11])
      for (const keys of [1, 1e9])
        for (const gatewaysPerKey of [1, Number.POSITIVE_INFINITY]) {
          const text = JSON.stringify(
            plan({ requestsPerSecond, connections: requestsPerSecond, keys, gatewaysPerKey }).region,
          );
          expect(text, `${requestsPerSecond} requests, ${keys} keys`).not.to.match(/null|NaN|e\+[3-9]\d/);
        }
  });
});
