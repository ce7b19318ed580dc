import type { NodeVersion, PeerUsageClient, ReportedChanges } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { followPeerUsage, type PeerUsage } from "./follow-peer-usage.ts";
import type { KeyMonth, Reported } from "./key-month.ts";
import { Ledger } from "./ledger.ts";
import { quiet } from "./testing/usage-folders.ts";

const DEADLINE_MS = 5_000;
const MONTH = "2026-05";

describe("followPeerUsage", () => {
  let peers: PeerUsage;
  let ledger: Ledger;
  let requested: string[];
  let outcomes: string[];
  let reportedVersions: (readonly NodeVersion[])[];
  /** Every total, and how far the reporting node has read the log. */
  let respond: (month: string, keyIds: readonly string[]) => Promise<{ totals: number[]; position: number }>;
  let changes: () => Promise<ReportedChanges | null>;

  const totalOf = (total: number, position = 10) => {
    respond = (_month, keyIds) => Promise.resolve({ totals: keyIds.map(() => total), position });
  };
  const changed = (part: Partial<ReportedChanges> = {}): ReportedChanges => ({
    upTo: { nodeId: "node1", version: 1 },
    // Before what this instance has recovered: whether it was reported yet makes no difference.
    ...{ position: 5, isComplete: true, hasMore: false, months: [] },
    ...part,
  });
  const grown = (keyId: string, total: number, part: Partial<ReportedChanges> = {}) =>
    changed({ months: [{ month: MONTH, quotaIds: [keyId], totals: [total] }], ...part });
  /** Sets the responses to the next refresh. Later ones get no changes. */
  const report = (...responses: (ReportedChanges | null)[]) => {
    const left = [...responses];
    changes = async () => (left.length > 0 ? (left.shift() as ReportedChanges | null) : changed());
    return waitFor("the refresh", () => left.length === 0, DEADLINE_MS);
  };
  const refreshed = async () => {
    const before = reportedVersions.length;
    await waitFor("a refresh", () => reportedVersions.length >= before + 2, DEADLINE_MS);
  };
  const open = async (keyId: string, month = MONTH): Promise<KeyMonth> => {
    return openWith(keyId, await peers.fetchTotal(keyId, month), month);
  };
  const openWith = (keyId: string, reported: Reported, month = MONTH) => {
    const key = ledger.open(ledger.book(month), keyId);
    peers.record(key, reported);
    return key;
  };

  beforeEach(async () => {
    requested = [];
    outcomes = [];
    reportedVersions = [];
    totalOf(0);
    changes = async () => changed();
    ledger = new Ledger("instance1", () => 0);
    const client: PeerUsageClient = {
      connected: async () => undefined,
      totals(month, keyIds, position) {
        requested.push(`${month} ${keyIds.join(",")} ${position}`);
        return respond(month, keyIds);
      },
      changes(reported) {
        reportedVersions.push(reported);
        return changes();
      },
      [Symbol.dispose]() {},
    };
    peers = followPeerUsage({
      client,
      intervalMs: 5,
      find: (keyId, month) => ledger.find(keyId, month),
      position: () => 7,
      known: (keyId) => (keyId === "recovered" ? 50 : 0),
      onQueried: (outcome) => outcomes.push(outcome),
      log: quiet,
    });
  });
  afterEach(() => peers[Symbol.asyncDispose]());

  it("requests the totals of a turn's new keys once per month, with the recovered position", async () => {
    respond = async (month, keyIds) => ({
      totals: keyIds.map((keyId) => keyId.length * (month === MONTH ? 1 : 100)),
      position: 10,
    });
    const keys = await Promise.all([open("a"), open("bb", "2026-06"), open("ccc")]);
    expect(keys.map((key) => key.peerUsage)).to.deep.equal([1, 200, 3]);
    expect(requested).to.deep.equal(["2026-05 a,ccc 7", "2026-06 bb 7"]);
  });

  it("requests totals again if they lack what this instance has recovered", async () => {
    const positions = [5, 6, 7];
    respond = async () => ({ totals: [positions.length === 1 ? 70 : 40], position: positions.shift() ?? 7 });
    expect((await open("a")).peerUsage).to.equal(70);
    expect(requested).to.have.length(3);
  });

  it("uses totals of a node that doesn't read on", async () => {
    totalOf(40, 5);
    expect((await open("a")).peerUsage).to.equal(40);
  });

  it("never falls below the counts in recovered journals", async () => {
    totalOf(8);
    expect((await open("recovered")).peerUsage).to.equal(50);
    expect((await open("a")).peerUsage).to.equal(8);
  });

  it("applies reported changes, and requests nothing else again", async () => {
    const [used, unused] = [await open("used"), await open("unused")];
    const before = requested.length;
    await report(grown("used", 30), grown("another gateway's", 4));
    await waitFor("the new total", () => used.peerUsage === 30, DEADLINE_MS);
    expect([peers.refreshIfStale(used), peers.refreshIfStale(unused)]).to.deep.equal([undefined, undefined]);
    await refreshed();
    expect(requested).to.have.length(before);
    expect(unused.peerUsage).to.equal(0);
  });

  it("sends each node's last version, and requests the rest immediately", async () => {
    const key = await open("a");
    await report(
      changed({ upTo: { nodeId: "node1", version: 3 }, hasMore: true }),
      grown("a", 5, { upTo: { nodeId: "node2", version: 40 }, hasMore: true }),
      grown("a", 6, { upTo: { nodeId: "node1", version: 4 } }),
    );
    await waitFor("the total", () => key.peerUsage === 6, DEADLINE_MS);
    await waitFor(
      "both versions to be sent",
      () =>
        JSON.stringify(reportedVersions).includes('[{"nodeId":"node2","version":40},{"nodeId":"node1","version":4}]'),
      DEADLINE_MS,
    );
  });

  for (const [what, incomplete] of [
    ["was restarted", changed({ upTo: { nodeId: "node2", version: 900 }, isComplete: false })],
    ["is of a version that can't report changes", null],
  ] as const)
    it(`fetches every key's total once if a node ${what}`, async () => {
      const idle = await open("idle");
      totalOf(70);
      expect(peers.refreshIfStale(idle)).to.equal(undefined);
      await report(incomplete);
      await waitFor("a request", () => peers.refreshIfStale(idle) !== undefined, DEADLINE_MS);
      const waits = [peers.refreshIfStale(idle), peers.refreshIfStale(idle)];
      expect(waits[0]).to.be.instanceOf(Promise).and.to.equal(waits[1]);
      await waits[0];
      expect(idle.peerUsage).to.equal(70);
      expect(peers.refreshIfStale(idle)).to.equal(undefined);
    });

  it("requests a total again until the node that reported it has caught up", async () => {
    await report(changed({ upTo: { nodeId: "node2", version: 1 }, position: 20 }));
    await refreshed();
    totalOf(3, 19);
    const key = await open("behind");
    expect(requested.pop()).to.equal("2026-05 behind 20");
    await waitFor("more requests", () => requested.length >= 2, DEADLINE_MS);
    totalOf(9, 20);
    await waitFor("the total", () => key.peerUsage === 9, DEADLINE_MS);
    await refreshed();
    const { length } = requested;
    await refreshed();
    expect(requested).to.have.length(length);
    expect(peers.refreshIfStale(key)).to.equal(undefined);
  });

  it("gets the total from the up-to-date one of two nodes if the other stays behind", async () => {
    const nodes = { current: { total: 40, position: 20 }, cutOff: { total: 0, position: 3 } };
    let next = nodes.cutOff;
    // The up-to-date node reports the changes, and the next request goes to the other one.
    changes = async () => {
      next = nodes.cutOff;
      return changed({ position: 20 });
    };
    respond = async (_month, keyIds) => {
      const { total, position } = next;
      next = next === nodes.cutOff ? nodes.current : nodes.cutOff;
      return { totals: keyIds.map(() => total), position };
    };
    await refreshed();
    const key = openWith("a", { total: 0, era: 0, position: 3 });
    await waitFor("the total", () => key.peerUsage === 40, DEADLINE_MS);
  });

  it("doesn't miss changes reported while a key's first total is being fetched", async () => {
    const reported = await peers.fetchTotal("new", MONTH);
    await report(grown("new", 5, { upTo: { nodeId: "node2", version: 1 }, position: 11 }));
    await refreshed();
    totalOf(5, 11);
    const key = openWith("new", reported);
    await waitFor("the change reported meanwhile", () => key.peerUsage === 5, DEADLINE_MS);
  });

  it("never lowers a total", async () => {
    totalOf(40);
    const used = await open("falling");
    await report(grown("falling", 12));
    await refreshed();
    expect(used.peerUsage).to.equal(40);
  });

  describe("while usage is down", () => {
    beforeEach(async () => {
      totalOf(9);
      await open("patient");
      changes = () => Promise.reject(new Error("usage is down"));
      respond = () => Promise.reject(new Error("usage is down"));
      await waitFor("failures", () => outcomes.filter((outcome) => outcome === "failed").length >= 2, DEADLINE_MS);
    });
    const patient = () => ledger.find("patient", MONTH) as KeyMonth;

    it("makes no request wait; new keys start with the counts in recovered journals", () => {
      const { length } = requested;
      expect(peers.refreshIfStale(patient())).to.equal(undefined);
      expect(peers.fetchTotal("a", MONTH)).to.include({ total: 0 });
      expect(peers.fetchTotal("recovered", MONTH)).to.include({ total: 50 });
      expect(requested).to.have.length(length);
    });

    it("keeps the last known total, and applies changes once usage is back", async () => {
      expect(patient().peerUsage).to.equal(9);
      await report(grown("patient", 33));
      await waitFor("the total", () => patient().peerUsage === 33, DEADLINE_MS);
    });

    it("fetches the total of a key that started without one once usage is back", async () => {
      const key = await open("early");
      expect(key.peerUsage).to.equal(0);
      totalOf(21);
      changes = async () => changed();
      await waitFor("a request", () => peers.refreshIfStale(key) !== undefined, DEADLINE_MS);
      await peers.refreshIfStale(key);
      expect(key.peerUsage).to.equal(21);
    });
  });
});
