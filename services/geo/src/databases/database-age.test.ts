import { expect } from "chai";
import { capturingLog } from "../testing/fixtures.ts";
import type { Database } from "./database.ts";
import { createAgeWarning, daysTooOld } from "./database-age.ts";

const DAY_MS = 86_400_000;
const BUILT = Date.UTC(2026, 0, 1);

describe("daysTooOld", () => {
  for (const [days, expected] of [
    [-1, null],
    [0, null],
    [45, null],
    [46, 46],
    [400, 400],
  ] as const)
    it(`says ${expected} of data that are ${days} days old`, () => {
      expect(daysTooOld(BUILT / 1_000, BUILT + days * DAY_MS)).to.equal(expected);
    });

  it("says nothing of data that do not state when they were built", () => {
    expect(daysTooOld(0, BUILT)).to.equal(null);
  });
});

describe("createAgeWarning", () => {
  it("warns of each old database once a day, also when it grew old while in use", () => {
    const { log, lines } = capturingLog();
    let now = BUILT + 45 * DAY_MS;
    const warn = createAgeWarning(log, () => now);
    const database = (name: string, builtMs: number) =>
      ({ info: { name, buildUnixSeconds: builtMs / 1_000 } }) as Database;
    const all = [database("old.mmdb", BUILT), database("new.mmdb", BUILT + 40 * DAY_MS), database("undated.mmdb", 0)];
    warn(all);
    expect(lines).to.deep.equal([]);
    now += DAY_MS;
    warn(all);
    warn(all);
    expect(lines.map(({ level, database: name, days }) => [level, name, days])).to.deep.equal([
      ["warn", "old.mmdb", 46],
    ]);
    expect(lines[0]?.msg).to.match(/--update to get newer data\. .* MaxMind's, set MAXMIND_ACCOUNT_ID/);
    now += DAY_MS;
    warn(all);
    expect(lines).to.have.length(2);
  });
});
