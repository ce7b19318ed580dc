import { expect } from "chai";
import { capturingLog } from "../testing/fixtures.ts";
import { createAgeWarning, daysOld, type Refreshing, reasonForAge } from "./database-age.ts";
import type { RefreshState } from "./refresh-state.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BUILT = Date.UTC(2026, 0, 1);
const built = (...times: number[]) => times.map((ms) => ({ buildUnixSeconds: ms / 1_000 }));

/** A refresh whose next run is some hours from the start of the process. */
function refreshDue(hours: number, lastRun: RefreshState["lastRun"]): Refreshing {
  const nextRunAt = new Date(BUILT + hours * HOUR_MS).toISOString();
  const runs = { updated: 0, unchanged: 0, refused: 0, failed: 0 };
  return { state: { nextRunAt, lastRun, lastSuccessAt: null, runs, failuresInARow: 0 } };
}
const at = new Date(BUILT).toISOString();
const failed = { at, outcome: "failed", problem: "the network is unreachable" } as const;
const unchanged = { at, outcome: "unchanged", problem: null } as const;

describe("daysOld", () => {
  for (const [days, expected] of [
    [-1, null],
    [0, null],
    [45, null],
    [46, 46],
    [400, 400],
  ] as const)
    it(`says ${expected} of data that is ${days} days old`, () => {
      expect(daysOld(built(BUILT), BUILT + days * DAY_MS)).to.equal(expected);
    });

  it("uses the oldest file, and ignores files without a build time", () => {
    expect(daysOld(built(0), BUILT)).to.equal(null);
    expect(daysOld(built(0, BUILT + DAY_MS, BUILT), BUILT + 50 * DAY_MS)).to.equal(50);
  });
});

describe("reasonForAge", () => {
  const cases: [what: string, refreshing: Refreshing, hours: number, expected: RegExp | null][] = [
    ["the operator's own files", "files", 0, /^replace the files in GEO_DATABASES/],
    ["a refresh that is off", "off", 0, /^its refresh is off: run .\/geolookup data fetch --update/],
    ["a refresh that hasn't run yet", { state: null }, 0.9, null],
    ["a refresh that doesn't run", { state: null }, 1, /^nothing refreshes it/],
    ["a refresh that was due before the start", refreshDue(-100, failed), 0.9, null],
    [
      "a refresh that is due later and failed",
      refreshDue(5, failed),
      1,
      /^refresh failed: the network is unreachable$/,
    ],
    ["a refresh that is due again", refreshDue(5, failed), 5.5, null],
    ["a refresh that is overdue", refreshDue(5, failed), 6, /^nothing refreshes it/],
    ["a source without anything newer", refreshDue(5, unchanged), 1, /^its source has nothing newer/],
  ];
  for (const [what, refreshing, hours, expected] of cases)
    it(`explains ${what}, ${hours} h after the start`, () => {
      const reason = reasonForAge(refreshing, BUILT, BUILT + hours * HOUR_MS);
      if (expected === null) expect(reason).to.equal(null);
      else expect(reason).to.match(expected);
    });
});

describe("createAgeWarning", () => {
  it("warns in one line about all files, once for the same data, and not during a refresh", () => {
    const { log, lines } = capturingLog();
    let now = BUILT;
    let refreshing: Refreshing = { state: null };
    const warn = createAgeWarning(
      log,
      () => now,
      () => refreshing,
    );
    const old = built(BUILT - 46 * DAY_MS, BUILT - 169 * DAY_MS, BUILT);
    warn(old);
    expect(lines).to.deep.equal([]);
    refreshing = refreshDue(5, failed);
    for (let time = 0; time < 3; time++) warn(old);
    now += 2 * DAY_MS;
    warn(old);
    expect(lines).to.deep.equal([
      { level: "warn", days: 169, msg: "data is 169 days old; refresh failed: the network is unreachable" },
    ]);
    refreshing = "files";
    warn(built(now - 10 * DAY_MS));
    warn(built(now - 60 * DAY_MS));
    expect(lines.map(({ days }) => days)).to.deep.equal([169, 60]);
  });
});
