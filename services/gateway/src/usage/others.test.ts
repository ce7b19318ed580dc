import type { OthersTotals } from "@geolookup/shared/domain/usage.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { Ledger } from "./ledger.ts";
import { followOthers, type Others } from "./others.ts";
import { quiet } from "./testing/usage-folders.ts";

const DEADLINE_MS = 5_000;

describe("followOthers", () => {
  let others: Others;
  let asked: string[];
  let answer: OthersTotals["ask"];
  let outcomes: string[];
  const ledger = new Ledger("boot1", () => 0);
  const key = (keyId: string, known = 0) => ledger.open(ledger.book("2026-05"), keyId, known);
  const totalOf =
    (total: number): OthersTotals["ask"] =>
    (_month, keyIds) =>
      Promise.resolve(keyIds.map(() => total));
  const failing: OthersTotals["ask"] = () => Promise.reject(new Error("usage is down"));

  beforeEach(() => {
    asked = [];
    outcomes = [];
    answer = totalOf(0);
    others = followOthers({
      totals: {
        ask(month, keyIds, position) {
          asked.push(`${month} ${keyIds.join(",")} ${position}`);
          return answer(month, keyIds, position);
        },
        close() {},
      },
      intervalMs: 5,
      position: () => 17,
      known: (keyId) => (keyId === "rescued" ? 50 : 0),
      onAsked: (outcome) => outcomes.push(outcome),
      log: quiet,
    });
  });
  afterEach(() => others.close());

  it("asks once for all keys that are new in a turn, month by month, up to the rescued position", async () => {
    answer = (month, keyIds) => Promise.resolve(keyIds.map((keyId) => keyId.length * (month === "2026-05" ? 1 : 100)));
    const totals = [others.first("a", "2026-05"), others.first("bb", "2026-06"), others.first("ccc", "2026-05")];
    expect(await Promise.all(totals)).to.deep.equal([1, 200, 3]);
    expect(asked).to.deep.equal(["2026-05 a,ccc 17", "2026-06 bb 17"]);
  });

  it("never takes less than what dead boots are known to have counted", async () => {
    answer = totalOf(8);
    expect(await Promise.all([others.first("rescued", "2026-05"), others.first("a", "2026-05")])).to.deep.equal([
      50, 8,
    ]);
    answer = failing;
    expect(await others.first("rescued", "2026-05")).to.equal(50);
  });

  it("asks again for the keys that are busy, and for no others", async () => {
    const used = key("used");
    key("unused");
    answer = totalOf(30);
    others.use(used);
    others.use(used);
    await waitFor("the new total", () => used.others === 30, DEADLINE_MS);
    const again = key("again");
    others.use(again);
    await waitFor("the next question", () => again.others === 30, DEADLINE_MS);
    expect(asked).to.deep.equal(["2026-05 used 17", "2026-05 again 17"]);
  });

  it("lets a key that was not used for a while wait for a recent total, once for all its requests", async () => {
    const idle = key("idle");
    others.use(idle);
    await waitFor("its total to be told", () => asked.length === 1 && !idle.isBusy, DEADLINE_MS);
    const used = key("used");
    others.use(used);
    await waitFor("a round without it", () => asked.length === 2 && !used.isBusy, DEADLINE_MS);
    answer = totalOf(70);
    const waits = [others.use(idle), others.use(idle)];
    expect(waits[0]).to.be.instanceOf(Promise).and.to.equal(waits[1]);
    await waits[0];
    expect(idle.others).to.equal(70);
    expect(asked.slice(2)).to.deep.equal(["2026-05 idle 17"]);
  });

  it("never lets a total fall, as when a usage node is behind", async () => {
    const used = key("falling", 40);
    answer = totalOf(12);
    others.use(used);
    await waitFor("the answer", () => outcomes.length > 0, DEADLINE_MS);
    expect(used.others).to.equal(40);
  });

  describe("while usage is down", () => {
    beforeEach(async () => {
      answer = failing;
      expect(await others.first("unlucky", "2026-05")).to.equal(0);
    });

    it("lets no request wait", () => {
      const idle = key("waiting for nothing");
      idle.othersRound = -1;
      expect(others.use(idle)).to.equal(undefined);
    });

    it("lets a new key start without waiting", () => {
      expect(others.first("a", "2026-05")).to.equal(0);
      expect(asked).to.have.length(1);
    });

    it("goes on from the last known total, and asks until there is an answer", async () => {
      const used = key("patient", 9);
      others.use(used);
      await waitFor("more failures", () => outcomes.length >= 4, DEADLINE_MS);
      expect(used.others).to.equal(9);
      answer = totalOf(33);
      await waitFor("the answer", () => used.others === 33, DEADLINE_MS);
      expect(await others.first("b", "2026-05")).to.equal(33);
      expect(new Set(outcomes)).to.deep.equal(new Set(["failed", "answered"]));
    });
  });
});
