import { expect } from "chai";
import { type Changes, createChanges } from "./changes.ts";

const MONTH = "2026-05";

describe("createChanges", () => {
  let changes: Changes;
  beforeEach(() => {
    changes = createChanges({ capacity: 8, maxQuotas: 3 });
  });
  /** Returns a function that requests the changes since its previous call. */
  const subscribe = (instanceId: string) => {
    const { upTo } = changes.since([], instanceId);
    let reported = [{ nodeId: "another", version: 3 }, upTo];
    return () => {
      const { grown, ...rest } = changes.since(reported, instanceId);
      reported = [rest.upTo];
      return { ...rest, grown: Array.from(grown, ([month, keyIds]) => `${month} ${[...keyIds]}`) };
    };
  };
  const add = (keyIds: string, instanceId: string | null = "boot1", month = MONTH) => {
    for (const keyId of keyIds) changes.add(keyId, month, instanceId);
  };

  it("reports to each gateway what others counted since its last request, each key once", () => {
    const [first, second] = [subscribe("boot1"), subscribe("boot2")];
    add("aba");
    expect(second()).to.deep.include({ isComplete: true, hasMore: false, grown: [`${MONTH} a,b`] });
    expect(first()).to.deep.include({ isComplete: true, hasMore: false, grown: [] });
    add("c", "boot2");
    expect(second().grown).to.deep.equal([]);
    expect(first().grown).to.deep.equal([`${MONTH} c`]);
    add("a");
    expect(second().grown).to.deep.equal([`${MONTH} a`]);
  });

  it("separates months, and reports records of months to every gateway", () => {
    const ask = subscribe("boot1");
    add("a", "boot2");
    add("a", "boot2", "2026-04");
    add("b", null, "2026-04");
    expect(ask().grown).to.deep.equal([`${MONTH} a`, "2026-04 a,b"]);
  });

  it("splits many keys into several responses", () => {
    const ask = subscribe("boot2");
    add("abacde");
    expect(ask()).to.deep.include({ hasMore: true, grown: [`${MONTH} a,b,c`] });
    expect(ask()).to.deep.include({ hasMore: false, grown: [`${MONTH} d,e`] });
  });

  it("drops the oldest changes when full, and is then incomplete for a gateway that lags behind", () => {
    const [often, rare, lastMinute] = [subscribe("boot2"), subscribe("boot2"), subscribe("boot2")];
    for (const keyId of "abcdefgh") {
      add(keyId);
      expect(often().grown).to.deep.equal([`${MONTH} ${keyId}`]);
    }
    expect(lastMinute()).to.deep.include({ isComplete: true, grown: [`${MONTH} a,b,c`] });
    add("i");
    expect(often().grown).to.deep.equal([`${MONTH} i`]);
    expect(rare()).to.deep.include({ isComplete: false, hasMore: false, grown: [] });
    add("j");
    expect(rare()).to.deep.include({ isComplete: true, grown: [`${MONTH} j`] });
  });

  it("is incomplete for a first request, and after a restart of the node", () => {
    add("a");
    const later = createChanges();
    const { upTo } = changes.since([], "boot2");
    expect(upTo.version).to.equal(1);
    expect(later.since([upTo], "boot2")).to.deep.include({ isComplete: false, hasMore: false });
    expect(changes.since([{ ...upTo, version: 2 }], "boot2"), "a later version").to.include({ isComplete: false });
  });
});
