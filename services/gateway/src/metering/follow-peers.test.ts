import type { NodeVersion, PeerUsageClient, ReportedChanges } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { followOthers } from "./follow-peers.ts";
import type { KeyMonth } from "./key-month.ts";
import { Ledger } from "./ledger.ts";
import type { Others, Told } from "./peer-usage.ts";
import { quiet } from "./testing/usage-folders.ts";

const DEADLINE_MS = 5_000;
const MONTH = "2026-05";

describe("followOthers", () => {
  let others: Others;
  let ledger: Ledger;
  let asked: string[];
  let outcomes: string[];
  let toldNodes: (readonly NodeVersion[])[];
  /** What every total is, and how far in the log the node has read that tells it. */
  let answer: (month: string, keyIds: readonly string[]) => Promise<{ totals: number[]; position: number }>;
  let changes: () => Promise<ReportedChanges | null>;

  const totalOf = (total: number, position = 10) => {
    answer = (_month, keyIds) => Promise.resolve({ totals: keyIds.map(() => total), position });
  };
  const changed = (part: Partial<ReportedChanges> = {}): ReportedChanges => ({
    upTo: { nodeId: "node1", version: 1 },
    ...{ position: 10, isComplete: true, hasMore: false, months: [] },
    ...part,
  });
  const grown = (keyId: string, total: number, part: Partial<ReportedChanges> = {}) =>
    changed({ months: [{ month: MONTH, keyIds: [keyId], totals: [total] }], ...part });
  /** What the next refresh hears; the ones after it hear of nothing. */
  const tell = (...answers: (ReportedChanges | null)[]) => {
    const left = [...answers];
    changes = async () => (left.length > 0 ? (left.shift() as ReportedChanges | null) : changed());
    return waitFor("the refresh", () => left.length === 0, DEADLINE_MS);
  };
  const refreshed = async () => {
    const before = toldNodes.length;
    await waitFor("a refresh", () => toldNodes.length >= before + 2, DEADLINE_MS);
  };
  const open = async (keyId: string, month = MONTH): Promise<KeyMonth> => {
    const told = await others.first(keyId, month);
    return openWith(keyId, told, month);
  };
  const openWith = (keyId: string, told: Told, month = MONTH) => {
    const key = ledger.open(ledger.book(month), keyId);
    others.learn(key, told);
    return key;
  };

  beforeEach(async () => {
    asked = [];
    outcomes = [];
    toldNodes = [];
    totalOf(0);
    changes = async () => changed();
    ledger = new Ledger("boot1", () => 0);
    const totals: PeerUsageClient = {
      ask(month, keyIds, position) {
        asked.push(`${month} ${keyIds.join(",")} ${position}`);
        return answer(month, keyIds);
      },
      changes(told) {
        toldNodes.push(told);
        return changes();
      },
      close() {},
    };
    others = followOthers({
      totals,
      intervalMs: 5,
      find: (keyId, month) => ledger.find(keyId, month),
      position: () => 7,
      known: (keyId) => (keyId === "rescued" ? 50 : 0),
      onAsked: (outcome) => outcomes.push(outcome),
      log: quiet,
    });
  });
  afterEach(() => others.close());

  it("asks once for all keys that are new in a turn, month by month, up to the rescued position", async () => {
    answer = async (month, keyIds) => ({
      totals: keyIds.map((keyId) => keyId.length * (month === MONTH ? 1 : 100)),
      position: 10,
    });
    const keys = await Promise.all([open("a"), open("bb", "2026-06"), open("ccc")]);
    expect(keys.map((key) => key.others)).to.deep.equal([1, 200, 3]);
    expect(asked).to.deep.equal(["2026-05 a,ccc 7", "2026-06 bb 7"]);
  });

  it("never takes less than what dead boots are known to have counted", async () => {
    totalOf(8);
    expect((await open("rescued")).others).to.equal(50);
    expect((await open("a")).others).to.equal(8);
  });

  it("learns what has grown, and asks for nothing else again", async () => {
    const [used, unused] = [await open("used"), await open("unused")];
    const before = asked.length;
    await tell(grown("used", 30), grown("nobody's here", 4));
    await waitFor("the new total", () => used.others === 30, DEADLINE_MS);
    expect([others.use(used), others.use(unused)]).to.deep.equal([undefined, undefined]);
    await refreshed();
    expect(asked).to.have.length(before);
    expect(unused.others).to.equal(0);
  });

  it("says to every node how far it has told, and asks on at once while there is more", async () => {
    const key = await open("a");
    await tell(
      changed({ upTo: { nodeId: "node1", version: 3 }, hasMore: true }),
      grown("a", 5, { upTo: { nodeId: "node2", version: 40 }, hasMore: true }),
      grown("a", 6, { upTo: { nodeId: "node1", version: 4 } }),
    );
    await waitFor("the total", () => key.others === 6, DEADLINE_MS);
    await waitFor(
      "both to be told",
      () => JSON.stringify(toldNodes).includes('[{"nodeId":"node2","version":40},{"nodeId":"node1","version":4}]'),
      DEADLINE_MS,
    );
  });

  for (const [what, incomplete] of [
    ["has started anew", changed({ upTo: { nodeId: "node2", version: 900 }, isComplete: false })],
    ["is of a version that cannot tell what changed", null],
  ] as const)
    it(`lets every key wait for its total once when a node ${what}`, async () => {
      const idle = await open("idle");
      totalOf(70);
      expect(others.use(idle)).to.equal(undefined);
      await tell(incomplete);
      await waitFor("a question", () => others.use(idle) !== undefined, DEADLINE_MS);
      const waits = [others.use(idle), others.use(idle)];
      expect(waits[0]).to.be.instanceOf(Promise).and.to.equal(waits[1]);
      await waits[0];
      expect(idle.others).to.equal(70);
      expect(others.use(idle)).to.equal(undefined);
    });

  it("asks again for what a node told that is behind another, until it is not", async () => {
    await tell(changed({ upTo: { nodeId: "node2", version: 1 }, position: 20 }));
    await refreshed();
    totalOf(3, 19);
    const key = await open("behind");
    expect(asked.pop()).to.equal("2026-05 behind 20");
    await waitFor("more questions", () => asked.length >= 2, DEADLINE_MS);
    totalOf(9, 20);
    await waitFor("the answer", () => key.others === 9, DEADLINE_MS);
    await refreshed();
    const { length } = asked;
    await refreshed();
    expect(asked).to.have.length(length);
    expect(others.use(key)).to.equal(undefined);
  });

  it("hears it from the node that is not behind, when two are asked in turn and the other one stays behind", async () => {
    const nodes = { current: { total: 40, position: 20 }, cutOff: { total: 0, position: 3 } };
    let next = nodes.cutOff;
    // Whoever is asked what has changed is up to date; the question after it goes to the other node.
    changes = async () => {
      next = nodes.cutOff;
      return changed({ position: 20 });
    };
    answer = async (_month, keyIds) => {
      const { total, position } = next;
      next = next === nodes.cutOff ? nodes.current : nodes.cutOff;
      return { totals: keyIds.map(() => total), position };
    };
    await refreshed();
    const key = openWith("a", { total: 0, era: 0, position: 3 });
    await waitFor("the total", () => key.others === 40, DEADLINE_MS);
  });

  it("misses nothing that is told while a key's first total is on its way", async () => {
    const told = await others.first("new", MONTH);
    await tell(grown("new", 5, { upTo: { nodeId: "node2", version: 1 }, position: 11 }));
    await refreshed();
    totalOf(5, 11);
    const key = openWith("new", told);
    await waitFor("what was told meanwhile", () => key.others === 5, DEADLINE_MS);
  });

  it("never lets a total fall, as when a usage node is behind", async () => {
    totalOf(40);
    const used = await open("falling");
    await tell(grown("falling", 12));
    await refreshed();
    expect(used.others).to.equal(40);
  });

  describe("while usage is down", () => {
    beforeEach(async () => {
      totalOf(9);
      await open("patient");
      changes = () => Promise.reject(new Error("usage is down"));
      answer = () => Promise.reject(new Error("usage is down"));
      await waitFor("failures", () => outcomes.filter((outcome) => outcome === "failed").length >= 2, DEADLINE_MS);
    });
    const patient = () => ledger.find("patient", MONTH) as KeyMonth;

    it("lets no request wait, nor a new key, which begins at what dead boots are known to have counted", () => {
      const { length } = asked;
      expect(others.use(patient())).to.equal(undefined);
      expect(others.first("a", MONTH)).to.include({ total: 0 });
      expect(others.first("rescued", MONTH)).to.include({ total: 50 });
      expect(asked).to.have.length(length);
    });

    it("goes on from the last known total, and learns what has grown once there is an answer", async () => {
      expect(patient().others).to.equal(9);
      await tell(grown("patient", 33));
      await waitFor("the total", () => patient().others === 33, DEADLINE_MS);
    });

    it("lets a key that began without an answer wait for one as soon as there is one", async () => {
      const key = await open("early");
      expect(key.others).to.equal(0);
      totalOf(21);
      changes = async () => changed();
      await waitFor("a question", () => others.use(key) !== undefined, DEADLINE_MS);
      await others.use(key);
      expect(key.others).to.equal(21);
    });
  });
});
