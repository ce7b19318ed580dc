import type { RefreshState } from "@geolookup/geo/databases/refresh-state.ts";
import { expect } from "chai";
import { firstState, type Run, restMs, stateAfter } from "./schedule.ts";

const NOW = Date.UTC(2026, 10, 22, 4);
const HOUR_MS = 3_600_000;
const hoursUntil = ({ nextRunAt }: RefreshState) => (Date.parse(nextRunAt) - NOW) / HOUR_MS;
const UNCHANGED: Run = { outcome: "unchanged", problem: null };
const FAILED: Run = { outcome: "failed", problem: "the network is unreachable" };
const REFUSED: Run = { outcome: "refused", problem: "the new city.mmdb is older" };

describe("the schedule of the refresh", () => {
  const cases: [what: string, failuresBefore: number, run: Run, earliest: number, latest: number][] = [
    ["data that is up to date", 0, UNCHANGED, 23, 25],
    ["newer data", 0, { outcome: "updated", problem: null }, 23, 25],
    ["refused data, which a download wouldn't change", 0, REFUSED, 23, 25],
    ["a first failure", 0, FAILED, 1, 1.5],
    ["a second failure", 1, FAILED, 2, 3],
    ["a fifth failure", 4, FAILED, 16, 24],
    ["a sixth failure", 5, FAILED, 24, 36],
    ["a hundredth failure", 99, FAILED, 24, 36],
    ["a success after failures", 7, UNCHANGED, 23, 25],
  ];
  for (const [what, failuresInARow, run, earliest, latest] of cases)
    it(`runs again ${earliest} to ${latest} hours after ${what}`, () => {
      const before = { ...firstState(NOW), failuresInARow };
      expect(hoursUntil(stateAfter(before, run, NOW, 0))).to.equal(earliest);
      expect(hoursUntil(stateAfter(before, run, NOW, 0.999_999))).to.be.closeTo(latest, 0.001);
    });

  it("honors Retry-After of a publisher, up to a limit", () => {
    const asked = (hours: number) =>
      hoursUntil(stateAfter(firstState(NOW), { ...FAILED, notBeforeMs: NOW + hours * HOUR_MS }, NOW, 0));
    expect([asked(-1), asked(0.5), asked(7), asked(1_000)]).to.deep.equal([1, 1, 7, 36]);
  });

  it("never waits longer than after a failure, even if the clock was wrong", () => {
    expect(restMs({ ...firstState(NOW), nextRunAt: "2062-01-01T00:00:00.000Z" }, NOW)).to.equal(36 * HOUR_MS);
    expect(restMs(firstState(NOW), NOW + 5)).to.equal(-5);
  });
});
