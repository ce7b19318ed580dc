import { expect } from "chai";
import { createHours } from "./hours.ts";

const START_MS = Date.UTC(2026, 10, 21, 9, 30);
const MINUTE_MS = 60_000;
const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour);

describe("createHours", () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = START_MS;
  });
  const create = (maxKeys?: number) => createHours(() => nowMs, maxKeys);

  it("counts each key's requests by hour and code", () => {
    const hours = create();
    for (const code of ["ok", "ok", "origin_not_allowed"]) hours.count("key_1", code, 1);
    nowMs += 30 * MINUTE_MS;
    hours.count("key_1", "ok", 1);
    hours.count("key_2", "rate_limited", 1);
    expect(hours.of("key_1")).to.deep.equal({
      sinceMs: START_MS,
      hours: [
        { startMs: at(21, 9), counts: { ok: 2, origin_not_allowed: 1 } },
        { startMs: at(21, 10), counts: { ok: 1 } },
      ],
    });
    expect(hours.of("key_3")).to.deep.equal({ sinceMs: START_MS, hours: [] });
  });

  it("keeps 48 hours", () => {
    const hours = create();
    hours.count("key_1", "ok", 1);
    nowMs = at(23, 8);
    hours.count("key_1", "ok", 1);
    expect(hours.of("key_1").hours.map(({ startMs }) => startMs)).to.deep.equal([at(21, 9), at(23, 8)]);
    nowMs = at(23, 9);
    hours.count("key_1", "ok", 1);
    expect(hours.of("key_1").hours.map(({ startMs }) => startMs)).to.deep.equal([at(23, 8), at(23, 9)]);
  });

  it("forgets the keys that were used least recently, and says since when the counts of others are complete", () => {
    const hours = create(2);
    for (const keyId of ["key_1", "key_2", "key_1"]) hours.count(keyId, "ok", 1);
    nowMs += MINUTE_MS;
    hours.count("key_3", "ok", 1);
    expect(hours.of("key_2")).to.deep.equal({ sinceMs: START_MS + MINUTE_MS, hours: [] });
    expect(hours.of("key_1").sinceMs).to.equal(START_MS);
  });
});
