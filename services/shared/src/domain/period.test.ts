import { expect } from "chai";
import {
  createCalendar,
  dayOf,
  isDay,
  isMonth,
  monthsBefore,
  oldestKeptMonth,
  periodAt,
  previousMonth,
} from "./period.ts";

describe("oldestKeptMonth", () => {
  for (const [now, month] of [
    ["2026-05-01T00:00:00Z", "2025-04"],
    ["2026-05-31T23:59:59Z", "2025-04"],
    ["2026-01-15T00:00:00Z", "2024-12"],
    ["2026-02-01T00:00:00Z", "2025-01"],
  ] as const)
    it(`is ${month} at ${now}`, () => expect(oldestKeptMonth(Date.parse(now))).to.equal(month));
});

describe("periodAt", () => {
  // The reset instants are from `date -u -d '2026-02-01' +%s` and the like.
  const cases: [instant: string, day: string, dayOfMonth: number, month: string, reset: number][] = [
    ["2026-01-01T00:00:00.000Z", "2026-01-01", 1, "2026-01", 1769904000],
    ["2026-01-31T23:59:59.999Z", "2026-01-31", 31, "2026-01", 1769904000],
    ["2026-02-01T00:00:00.000Z", "2026-02-01", 1, "2026-02", 1772323200],
    ["2028-02-29T12:00:00.000Z", "2028-02-29", 29, "2028-02", 1835481600],
    ["2026-12-31T23:59:59.999Z", "2026-12-31", 31, "2026-12", 1798761600],
    ["2026-07-01T01:30:00.000+02:00", "2026-06-30", 30, "2026-06", 1782864000],
  ];
  for (const [instant, day, dayOfMonth, month, reset] of cases)
    it(`${instant} is in ${day}`, () => {
      const period = periodAt(Date.parse(instant));
      expect(period).to.include({ day, dayOfMonth, month, resetUnixSeconds: reset });
      expect(new Date(period.dayStartMs).toISOString()).to.equal(`${day}T00:00:00.000Z`);
    });
});

describe("createCalendar", () => {
  it("follows its clock past midnight, and back", () => {
    let now = Date.parse("2026-03-31T23:59:59.999Z");
    const calendar = createCalendar(() => now);
    expect(calendar().day).to.equal("2026-03-31");
    now += 1;
    expect(calendar()).to.include({ day: "2026-04-01", month: "2026-04" });
    now -= 1;
    expect(calendar()).to.include({ day: "2026-03-31", month: "2026-03" });
  });

  it("computes each day once", () => {
    let now = Date.parse("2026-03-31T10:00:00Z");
    const calendar = createCalendar(() => now++);
    expect(calendar()).to.equal(calendar());
  });
});

describe("months and days", () => {
  it("returns the previous month", () => {
    expect(previousMonth("2026-03")).to.equal("2026-02");
    expect(previousMonth("2026-01")).to.equal("2025-12");
  });
  for (const [month, count, expected] of [
    ["2026-03", 0, "2026-03"],
    ["2026-03", 13, "2025-02"],
    ["2026-01", 13, "2024-12"],
    ["2026-02", 14, "2024-12"],
  ] as const)
    it(`returns the month ${count} before ${month}`, () => expect(monthsBefore(month, count)).to.equal(expected));
  it("returns a day of a month", () => expect(dayOf("2026-03", 7)).to.equal("2026-03-07"));
  for (const text of ["2026-01", "2026-12"]) it(`${text} is a month`, () => expect(isMonth(text)).to.equal(true));
  for (const text of ["", "2026", "2026-00", "2026-13", "2026-1", "2026-01-01", " 2026-01", "2026-01\n", "latest"])
    it(`${JSON.stringify(text)} isn't a month`, () => expect(isMonth(text)).to.equal(false));
  for (const text of ["2026-01-31", "2028-02-29"]) it(`${text} is a day`, () => expect(isDay(text)).to.equal(true));
  for (const text of ["", "2026-01", "2026-02-29", "2026-02-31", "2026-13-01", "2026-01-00", "20260101"])
    it(`${JSON.stringify(text)} isn't a day`, () => expect(isDay(text)).to.equal(false));
});
