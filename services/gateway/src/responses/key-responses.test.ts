import { expect } from "chai";
import { createKeyResponses } from "./key-responses.ts";

const START_MS = Date.UTC(2026, 10, 21, 9, 30);
const MINUTE_MS = 60_000;
const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour);

describe("createKeyResponses", () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = START_MS;
  });
  const create = (maxKeys?: number) => createKeyResponses(() => nowMs, maxKeys);

  it("counts each key's responses by hour and code", () => {
    const responses = create();
    for (const code of ["ok", "ok", "origin_not_allowed"]) responses.count("key_1", code);
    nowMs += 30 * MINUTE_MS;
    responses.count("key_1", "ok");
    responses.count("key_2", "rate_limited");
    expect(responses.of("key_1")).to.deep.equal({
      sinceMs: START_MS,
      hours: [
        { startMs: at(21, 9), counts: { ok: 2, origin_not_allowed: 1 } },
        { startMs: at(21, 10), counts: { ok: 1 } },
      ],
    });
    expect(responses.of("key_3")).to.deep.equal({ sinceMs: START_MS, hours: [] });
  });

  it("keeps 48 hours", () => {
    const responses = create();
    responses.count("key_1", "ok");
    nowMs = at(23, 8);
    responses.count("key_1", "ok");
    expect(responses.of("key_1").hours.map(({ startMs }) => startMs)).to.deep.equal([at(21, 9), at(23, 8)]);
    nowMs = at(23, 9);
    responses.count("key_1", "ok");
    expect(responses.of("key_1").hours.map(({ startMs }) => startMs)).to.deep.equal([at(23, 8), at(23, 9)]);
  });

  it("forgets the keys that were used least recently, and says since when the counts of others are complete", () => {
    const responses = create(2);
    for (const keyId of ["key_1", "key_2", "key_1"]) responses.count(keyId, "ok");
    nowMs += MINUTE_MS;
    responses.count("key_3", "ok");
    expect(responses.of("key_2")).to.deep.equal({ sinceMs: START_MS + MINUTE_MS, hours: [] });
    expect(responses.of("key_1").sinceMs).to.equal(START_MS);
  });
});
