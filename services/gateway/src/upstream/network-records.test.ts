import { setTimeout } from "node:timers/promises";
import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { createNetworkRecords, type NetworkRecords } from "./network-records.ts";

const NODE = { nodeId: 1, dataChange: 1 };
const OTHER_NODE = { nodeId: 2, dataChange: 1 };
const TOWN = locatedIn("Town");

describe("createNetworkRecords", () => {
  let nowMs: number;
  let networks: NetworkRecords;
  /** Past the lookup that asks a node. */
  const find = (ip: string) => {
    const first = networks.find(ip);
    return first ?? networks.find(ip);
  };
  /** With a node that has just been asked. */
  const start = (options: { generationBytes?: number } = {}) => {
    networks = createNetworkRecords({ now: () => nowMs, ...options });
    networks.find("44.0.0.1");
    networks.responded(NODE);
  };
  const askNode = () => {
    nowMs += 5;
    expect(networks.find("44.0.0.1")).to.equal(undefined);
  };
  beforeEach(() => {
    nowMs = 1_000;
    start();
  });

  it("finds the record of every address of a /24 and a /48, and of no other", () => {
    networks.add("81.2.69.142", 24, TOWN);
    networks.add("2a00:1450:4009:80f::200e", 48, locatedIn("Sixth"));
    for (const ip of ["81.2.69.0", "81.2.69.142", "81.2.69.255"]) expect(find(ip), ip).to.equal(TOWN);
    for (const ip of ["2a00:1450:4009::", "2a00:1450:4009:ffff::1"])
      expect(find(ip)?.record.members, ip).to.include("Sixth");
    for (const ip of ["81.2.68.255", "81.2.70.0", "2a00:1450:4008::1", "2a00:1450:400a::1", "::81.2.69.142", "", "x"])
      expect(find(ip), ip).to.equal(undefined);
  });

  it("finds the records of the /27s of a /24 that has several", () => {
    networks.add("81.2.69.142", 27, TOWN);
    networks.add("81.2.69.1", 27, locatedIn("Other"));
    for (const ip of ["81.2.69.128", "81.2.69.159"]) expect(find(ip), ip).to.equal(TOWN);
    expect(find("81.2.69.31")?.record.members).to.include("Other");
    for (const ip of ["81.2.69.32", "81.2.69.127", "81.2.69.160", "81.2.68.142"])
      expect(find(ip), ip).to.equal(undefined);
  });

  it("has one record for the same text", () => {
    networks.add("44.0.0.1", 24, TOWN);
    networks.add("44.0.1.1", 24, locatedIn("Town"));
    expect(find("44.0.1.1")).to.equal(TOWN);
    const nothing: Located = { record: TOWN.record, reason: "not_found" };
    networks.add("44.0.2.1", 24, nothing);
    expect(find("44.0.2.1"), "another reason").to.equal(nothing);
  });

  it("asks a node every 5 ms", () => {
    networks.add("44.0.0.1", 24, TOWN);
    const asked = [];
    for (; nowMs < 1_030; nowMs += 1) asked.push(networks.find("44.0.0.1") === undefined);
    expect(asked.map(Number).join("")).to.equal("000001000010000100001000010000");
  });

  it("uses records for 200 ms while no node responds", async () => {
    networks.add("44.0.0.1", 24, TOWN);
    askNode();
    await setTimeout(150);
    expect(networks.find("44.0.0.1")).to.equal(TOWN);
    await setTimeout(100);
    expect(networks.find("44.0.0.1")).to.equal(undefined);
    networks.responded(NODE);
    expect(networks.find("44.0.0.1")).to.equal(TOWN);
    await setTimeout(250);
    expect(networks.find("44.0.0.1"), "no node was asked").to.equal(TOWN);
  });

  it("uses responses that arrived while this process was busy for longer", async () => {
    networks.add("44.0.0.1", 24, TOWN);
    askNode();
    const response = new Promise<void>((resolve) => {
      setImmediate(() => {
        networks.responded(NODE);
        resolve();
      });
    });
    for (const startedMs = performance.now(); performance.now() - startedMs < 250; );
    await response;
    await setTimeout(1);
    expect(networks.find("44.0.0.1")).to.equal(TOWN);
  });

  it("uses no records after 200 ms without lookups, until a node has responded", () => {
    networks.add("44.0.0.1", 24, TOWN);
    expect(find("44.0.0.1")).to.equal(TOWN);
    nowMs += 206;
    expect(find("44.0.0.1")).to.equal(undefined);
    networks.responded(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
  });

  it("forgets everything once a node has other data", () => {
    networks.responded(OTHER_NODE);
    networks.add("44.0.0.1", 24, TOWN);
    networks.responded(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
    networks.responded({ ...NODE, dataChange: 2 });
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("forgets everything once another node responds", () => {
    networks.add("44.0.0.1", 24, TOWN);
    networks.responded(OTHER_NODE);
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("forgets everything once a node has gone", () => {
    networks.responded(OTHER_NODE);
    networks.add("44.0.0.1", 24, TOWN);
    for (let turn = 0; turn < 200; turn += 1) networks.responded(NODE);
    expect(find("44.0.0.1")).to.equal(TOWN);
    networks.responded(NODE);
    expect(find("44.0.0.1")).to.equal(undefined);
  });

  it("drops what wasn't used for a generation", () => {
    start({ generationBytes: 100_000 });
    let missed = 0;
    for (let third = 0; third < 250; third += 1)
      for (let second = 0; second < 40; second += 1) {
        networks.add(`44.${second}.${third}.1`, 24, locatedIn(`Town ${third}`));
        networks.add("45.0.0.1", 24, TOWN);
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
