import { setTimeout } from "node:timers/promises";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { createNetworkCache, type NetworkCache } from "./network-cache.ts";

const NODE = { nodeId: 1, dataRevision: 1 };
const OTHER_NODE = { nodeId: 2, dataRevision: 1 };
const TOWN = locatedIn("Town");

describe("createNetworkCache", () => {
  let nowMs: number;
  let cache: NetworkCache;
  /** Past a lookup that is sent to a node. */
  const find = (ip: string) => {
    const first = cache.get(ip);
    return first ?? cache.get(ip);
  };
  /** With a node that has just responded. */
  const start = (options: { maxBytes?: number } = {}) => {
    cache = createNetworkCache({ now: () => nowMs, ...options });
    cache.get("44.0.0.1");
    cache.onResponse(NODE);
  };
  const revalidate = () => {
    nowMs += 20;
    expect(cache.get("44.0.0.1")).to.equal(undefined);
  };
  beforeEach(() => {
    nowMs = 1_000;
    start();
  });

  it("finds the record of every address of a /24 and a /48, and of no other", () => {
    cache.add("81.2.69.142", 24, TOWN);
    cache.add("2a00:1450:4009:80f::200e", 48, locatedIn("Sixth"));
    for (const ip of ["81.2.69.0", "81.2.69.142", "81.2.69.255"]) expect(find(ip), ip).to.equal(TOWN);
    for (const ip of ["2a00:1450:4009::", "2a00:1450:4009:ffff::1"])
      expect(find(ip)?.record.members, ip).to.include("Sixth");
    for (const ip of ["81.2.68.255", "81.2.70.0", "2a00:1450:4008::1", "2a00:1450:400a::1", "::81.2.69.142", "", "x"])
      expect(find(ip), ip).to.equal(undefined);
  });

  it("finds the records of the /27s of a /24 that has several", () => {
    cache.add("81.2.69.142", 27, TOWN);
    cache.add("81.2.69.1", 27, locatedIn("Other"));
    for (const ip of ["81.2.69.128", "81.2.69.159"]) expect(find(ip), ip).to.equal(TOWN);
    expect(find("81.2.69.31")?.record.members).to.include("Other");
    for (const ip of ["81.2.69.32", "81.2.69.127", "81.2.69.160", "81.2.68.142"])
      expect(find(ip), ip).to.equal(undefined);
  });

  it("has one record for the same text", () => {
    cache.add("44.0.0.1", 24, TOWN);
    cache.add("44.0.1.1", 24, locatedIn("Town"));
    expect(find("44.0.1.1")).to.equal(TOWN);
    const nothing: Located = { record: TOWN.record, reason: "not_found" };
    cache.add("44.0.2.1", 24, nothing);
    expect(find("44.0.2.1"), "another reason").to.equal(nothing);
  });

  it("sends a lookup to a node every 20 ms", () => {
    cache.add("44.0.0.1", 24, TOWN);
    const sentMs = [];
    for (; nowMs < 1_090; nowMs += 1) if (cache.get("44.0.0.1") === undefined) sentMs.push(nowMs);
    expect(sentMs).to.deep.equal([1_020, 1_040, 1_060, 1_080]);
  });

  it("uses records for 200 ms while no node responds", async () => {
    cache.add("44.0.0.1", 24, TOWN);
    revalidate();
    await setTimeout(150);
    expect(cache.get("44.0.0.1")).to.equal(TOWN);
    await setTimeout(100);
    expect(cache.get("44.0.0.1")).to.equal(undefined);
    cache.onResponse(NODE);
    expect(cache.get("44.0.0.1")).to.equal(TOWN);
    await setTimeout(250);
    expect(cache.get("44.0.0.1"), "no lookup was sent").to.equal(TOWN);
  });

  it("uses records for 200 ms after the last response, not after the next lookup", async () => {
    cache.add("44.0.0.1", 24, TOWN);
    nowMs += 190;
    expect(cache.get("44.0.0.1"), "sent to a node").to.equal(undefined);
    expect(cache.get("44.0.0.1")).to.equal(TOWN);
    await setTimeout(100);
    expect(cache.get("44.0.0.1")).to.equal(undefined);
  });

  it("uses responses that arrived while this process was busy for longer", async () => {
    cache.add("44.0.0.1", 24, TOWN);
    revalidate();
    const response = new Promise<void>((resolve) => {
      setImmediate(() => {
        cache.onResponse(NODE);
        resolve();
      });
    });
    for (const startedMs = performance.now(); performance.now() - startedMs < 250; );
    await response;
    await setTimeout(1);
    expect(cache.get("44.0.0.1")).to.equal(TOWN);
  });

  it("uses no records after 200 ms without lookups, until a node has responded", () => {
    cache.add("44.0.0.1", 24, TOWN);
    expect(find("44.0.0.1")).to.equal(TOWN);
    nowMs += 206;
    expect(find("44.0.0.1")).to.equal(undefined);
    cache.onResponse(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
  });

  it("isn't used after a failed call, until a node has responded", () => {
    cache.add("44.0.0.1", 24, TOWN);
    cache.onFailure();
    expect(find("44.0.0.1")).to.equal(undefined);
    cache.onResponse(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
  });

  it("is cleared once a node has other data", () => {
    cache.onResponse(OTHER_NODE);
    cache.add("44.0.0.1", 24, TOWN);
    cache.onResponse(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
    cache.onResponse({ ...NODE, dataRevision: 2 });
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("is cleared once another node responds", () => {
    cache.add("44.0.0.1", 24, TOWN);
    cache.onResponse(OTHER_NODE);
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("is cleared once a node has missed 20 turns", () => {
    cache.onResponse(OTHER_NODE);
    cache.add("44.0.0.1", 24, TOWN);
    for (let turn = 0; turn < 40; turn += 1) cache.onResponse(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
    cache.onResponse(NODE);
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("ignores networks of other lengths, such as newer nodes may name", () => {
    for (const [ip, length] of [
      ["44.0.0.1", 0],
      ["44.0.0.1", 26],
      ["44.0.0.1", 48],
      ["2a00:1450:4009::1", 56],
      ["2a00:1450:4009::1", 24],
    ] as const) {
      cache.add(ip, length, TOWN);
      expect(find(ip), `${ip}/${length}`).to.equal(undefined);
    }
  });

  it("drops what was used least recently, within its limit", () => {
    start({ maxBytes: 200_000 });
    let missed = 0;
    for (let third = 0; third < 250; third += 1)
      for (let second = 0; second < 40; second += 1) {
        cache.add(`44.${second}.${third}.1`, 24, locatedIn(`Town ${third}`));
        cache.add("45.0.0.1", 24, TOWN);
        missed += Number(find("45.0.0.1") === undefined);
      }
    expect(missed, "lookups of what is used").to.equal(0);
    expect(find("44.39.249.1"), "a recent one").to.not.equal(undefined);
    expect(find("44.0.0.1"), "an old one").to.equal(undefined);
  });
});

function locatedIn(city: string): Located {
  return { record: recordText({ ...UNKNOWN_PLACE, city }), reason: "found" };
}
