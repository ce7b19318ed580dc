import { periodAt } from "@geolookup/shared/domain/period.ts";
import { expect } from "chai";
import { daysChart, hoursChart, monthChart, monthsChart } from "./usage-charts.ts";

const CURRENT = periodAt(Date.UTC(2026, 2, 5, 23, 59));
const MONTHS = [
  { month: "2025-12", days: [{ day: "2025-12-05", requests: 9 }], refusals: [] },
  { month: "2026-02", days: [{ day: "2026-02-28", requests: 2 }], refusals: [] },
  {
    month: "2026-03",
    days: [
      { day: "2026-03-01", requests: 3 },
      { day: "2026-03-05", requests: 4 },
    ],
    refusals: [
      {
        ...{ code: "quota_exceeded", total: 70 },
        days: [
          { day: "2026-03-02", requests: 30 },
          { day: "2026-03-05", requests: 40 },
        ],
      },
      { code: "rate_limited", total: 1, days: [{ day: "2026-03-05", requests: 1 }] },
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

describe("the charts of a key", () => {
  it("show the last 30 days across months, today last, with labels for some", () => {
    const { text } = daysChart(MONTHS, CURRENT);
    const shown = rows(text);
    expect(shown).to.have.length(30);
    expect(shown.slice(0, 6)).to.deep.equal([
      ...["2026-03-05 4", "2026-03-04 0", "2026-03-03 0", "2026-03-02 0", "2026-03-01 3", "2026-02-28 2"],
    ]);
    expect(shown.at(-1)).to.equal("2026-02-04 0");
    expect(labels(text)).to.deep.equal(["Feb 8", "Feb 13", "Feb 18", "Feb 23", "Feb 28", "today"]);
    expect(text)
      .to.include("<title>2026-03-05: 4, 41 refused so far</title>")
      .and.include("<title>2026-03-02: 0, 30 refused</title>");
    expect(text).to.match(
      />2026-03-05<\/th><td class="number">4<\/td><td class="number">40<\/td><td class="number">1</,
    );
  });

  it("show the last 48 hours, with refusals by code", () => {
    const counts = new Map([
      ["ok", 5],
      ["rate_limited", 2],
    ]);
    const hours = new Map([[Date.UTC(2026, 2, 4, 22), counts]]);
    const { text } = hoursChart({ hours }, Date.UTC(2026, 2, 5, 23, 59));
    const found = [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title);
    expect(found).to.have.length(48);
    expect(found.filter((title) => !/: 0( so far)?$/.test(title ?? ""))).to.deep.equal([
      "2026-03-04 22:00: 5, 2 refused",
    ]);
    expect([found[0], found.at(-1)]).to.deep.equal(["2026-03-04 00:00: 0", "2026-03-05 23:00: 0 so far"]);
    expect(labels(text)).to.deep.equal(["11:00", "23:00", "11:00", "now"]);
  });

  it("show the days of a month, and the months with links to their days", () => {
    const { text } = monthChart({ month: "2026-02", days: MONTHS[1]?.days ?? [], refusals: [] }, CURRENT);
    expect([rows(text).length, rows(text)[0]]).to.deep.equal([28, "2026-02-28 2"]);
    expect(text).to.include("Requests by day in 2026-02");
    expect(monthChart({ month: "2026-02", days: [], refusals: [] }, CURRENT).text).to.include(
      "In 2026-02, no requests were counted.",
    );
    expect(monthChart({ month: "2026-03", days: [], refusals: [] }, CURRENT).text).to.include(
      "No requests this month. Each day gets a bar here, seconds after its first request.",
    );
    const months = MONTHS.map((month) => ({ ...month, keyId: "key_1", total: month.days.length }));
    expect(monthsChart("key_1", months).text)
      .to.include('<a href="/console/keys/key_1?month=2026-02#usage">2026-02</a></th><td class="number">1</td>')
      .and.include("<title>2026-03: 2, 71 refused so far</title>");
  });
});
