import { periodAt } from "@geolookup/shared/domain/period.ts";
import { expect } from "chai";
import { FormError } from "./forms.ts";
import { lastDaysChart, monthChart, readDays } from "./usage-days.ts";

const CURRENT = periodAt(Date.UTC(2026, 2, 5, 23, 59));
const MONTHS = [
  { month: "2025-12", days: [{ day: "2025-12-05", requests: 9 }] },
  { month: "2026-02", days: [{ day: "2026-02-28", requests: 2 }] },
  {
    month: "2026-03",
    days: [
      { day: "2026-03-01", requests: 3 },
      { day: "2026-03-05", requests: 4 },
    ],
  },
];

/** The days and counts in a chart's data table, the newest first. */
function rows(markup: string): string[] {
  const cells = markup.matchAll(/<th scope="row">(.*?)<\/th><td class="number">(.*?)<\/td>/g);
  return Array.from(cells, ([, day, count]) => `${day} ${count}`);
}

function labels(markup: string): string[] {
  const [, ticks = ""] = /<p class="ticks"[^>]*>(.*?)<\/p>/s.exec(markup) ?? [];
  return [...ticks.matchAll(/>([^<]+)</g)].map(([, label = ""]) => label).filter((label) => label.trim() !== "");
}

describe("the chart of requests by day", () => {
  it("shows the last days across months, today last", () => {
    const { text } = lastDaysChart(MONTHS, 7, CURRENT);
    expect(rows(text)).to.deep.equal([
      ...[
        "2026-03-05 4",
        "2026-03-04 0",
        "2026-03-03 0",
        "2026-03-02 0",
        "2026-03-01 3",
        "2026-02-28 2",
        "2026-02-27 0",
      ],
    ]);
    expect(labels(text)).to.deep.equal(["Feb 27", "Feb 28", "Mar 1", "Mar 2", "Mar 3", "Mar 4", "today"]);
    expect(text).to.include("Requests in the last 7 days (UTC)").and.include("<title>2026-03-05: 4 so far</title>");
  });

  it("labels some of 30 and of 90 days", () => {
    expect(labels(lastDaysChart(MONTHS, 30, CURRENT).text)).to.deep.equal([
      ...["Feb 8", "Feb 13", "Feb 18", "Feb 23", "Feb 28", "today"],
    ]);
    const { text } = lastDaysChart(MONTHS, 90, CURRENT);
    expect(labels(text)).to.deep.equal(["Dec 20", "Jan 4", "Jan 19", "Feb 3", "Feb 18", "today"]);
    expect(rows(text)).to.have.length(90);
    expect(rows(text).at(-1), "December 5 is 91 days ago").to.equal("2025-12-06 0");
  });

  it("shows the days of a month", () => {
    const days = rows(monthChart({ month: "2026-02", days: MONTHS[1]?.days ?? [] }, CURRENT).text);
    expect([days.length, days[0]]).to.deep.equal([28, "2026-02-28 2"]);
  });
});

describe("readDays", () => {
  for (const [query, days] of [
    ["", null],
    ["?days=", null],
    ["?days=7", 7],
    ["?days=90", 90],
    ["?days=30&month=2026-01", null],
  ] as const)
    it(`is ${days} for ${query || "no query"}`, () => expect(readDays(`/keys/key_1${query}`)).to.equal(days));

  for (const value of ["8", "07", "365", "-7", "7.0", "all", "%00"])
    it(`refuses ${value}`, () =>
      expect(() => readDays(`/keys/key_1?days=${value}`))
        .to.throw(FormError, "must be 7, 30 or 90")
        .with.property("status", 400));
});
