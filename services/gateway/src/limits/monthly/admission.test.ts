import { periodAt } from "@geolookup/shared/domain/period.ts";
import { expect } from "chai";
import { admitKey } from "./admission.ts";
import { Ledger } from "./ledger.ts";

const PERIOD = periodAt(Date.parse("2026-05-02T12:00:00Z"));
/** 2026-06-01 00:00 UTC, by `date -u -d 2026-06-01 +%s`. */
const RESET = 1780272000;

describe("admitKey", () => {
  const cases: [
    used: { peerUsage: number; counted: number; reserved: number },
    quota: number,
    remaining: number | null,
  ][] = [
    [{ peerUsage: 0, counted: 0, reserved: 0 }, 5, 4],
    [{ peerUsage: 1, counted: 1, reserved: 1 }, 5, 1],
    [{ peerUsage: 1, counted: 1, reserved: 2 }, 5, 0],
    [{ peerUsage: 1, counted: 2, reserved: 2 }, 5, null],
    [{ peerUsage: 5, counted: 0, reserved: 0 }, 5, null],
    [{ peerUsage: 0, counted: 5, reserved: 0 }, 5, null],
    [{ peerUsage: 0, counted: 0, reserved: 5 }, 5, null],
    [{ peerUsage: 900, counted: 0, reserved: 0 }, 5, null],
    [{ peerUsage: 0, counted: 0, reserved: 0 }, 0, null],
  ];
  for (const [used, quota, remaining] of cases)
    it(`${remaining === null ? "refuses" : `leaves ${remaining}`} with ${JSON.stringify(used)} of ${quota}`, () => {
      const ledger = new Ledger("instance1", () => 0);
      const key = Object.assign(ledger.open(ledger.book("2026-05"), "key1"), used);
      const admission = admitKey(key, PERIOD, quota, async () => {});
      expect(admission.resetUnixSeconds).to.equal(RESET);
      expect(admission.admitted ? admission.remaining : null).to.equal(remaining);
      expect(key.reserved).to.equal(used.reserved + (remaining === null ? 0 : 1));
    });

  const settlements: [name: string, calls: ("count" | "release")[], counted: number][] = [
    ["counts", ["count"], 1],
    ["counts once", ["count", "count"], 1],
    ["releases", ["release"], 0],
    ["does not count what was released", ["release", "count"], 0],
    ["does not release what was counted", ["count", "release"], 1],
  ];
  for (const [name, calls, counted] of settlements)
    it(`${name}, and frees the reservation once`, async () => {
      const ledger = new Ledger("instance1", () => 0);
      const book = ledger.book("2026-05");
      const key = ledger.open(book, "key1");
      let count = 0;
      const admission = admitKey(key, PERIOD, 5, async () => {
        count += 1;
      });
      if (!admission.admitted) throw new Error("refused");
      for (const call of calls) await admission[call]();
      expect(count).to.equal(counted);
      expect(key.reserved).to.equal(0);
      expect(book.reserved).to.equal(0);
    });
});
