import { expect } from "chai";
import { axisEnd, type Bar, barChart } from "./chart.ts";

const chartOf = (bars: readonly Bar[]) => barChart("Requests", bars, "Each day gets a bar here.").text;

/** The heights of a chart's bars, without the tracks. */
function heights(markup: string): number[] {
  return [...markup.matchAll(/class="bar[^"]*".*? height="([\d.]+)"/g)].map(([, height]) => Number(height));
}

describe("barChart", () => {
  it("draws the maximum at full height, and zero as nothing", () => {
    const text = chartOf([
      { name: "a", value: 0 },
      { name: "b", value: 50 },
      { name: "c", value: 200 },
    ]);
    expect(heights(text)).to.deep.equal([0, 30, 120]);
    expect(text).to.include("<span>200</span><span>100</span><span>0</span>");
    expect(text).to.include("max: 200").and.include("<title>b: 50</title>");
  });

  it("ends its axis at a round even number", () => {
    for (const [max, end] of [
      [0, 2],
      [1, 2],
      [3, 4],
      [5, 6],
      [10, 10],
      [11, 20],
      [700, 800],
      [999, 1_000],
      [1_234_567, 2_000_000],
    ] as const)
      expect(axisEnd(max), String(max)).to.equal(end);
  });

  it("draws the grid behind the bars", () => {
    const text = chartOf([{ name: "a", value: 1 }]);
    expect(text.indexOf('class="grid"')).to.be.within(0, text.indexOf('class="bar"'));
  });

  it("marks the current bar", () => {
    const text = chartOf([
      { name: "a", value: 1, tick: "1" },
      { name: "b", value: 2, tick: "today", isCurrent: true },
    ]);
    expect(text)
      .to.match(/<g class="current"><title>b: 2 so far<\/title>/)
      .and.include("<span>1</span><strong>today</strong>");
  });

  it("keeps one request visible next to millions", () => {
    const text = chartOf([
      { name: "a", value: 1 },
      { name: "b", value: 9_000_000 },
    ]);
    expect(heights(text)[0]).to.be.above(1);
    expect(text).to.include("max: 9,000,000");
  });

  it("says what will appear if there is nothing to show", () => {
    for (const bars of [[], [{ name: "a", value: 0, refused: new Map([["rate_limited", 0]]) }]])
      expect(chartOf(bars))
        .to.include("Each day gets a bar here.")
        .and.not.match(/<svg|<table|NaN|Infinity/);
  });

  it("draws refusals on top of what was served, and has a column for each of their codes", () => {
    const text = chartOf([
      { name: "a", value: 50, refused: new Map([["rate_limited", 25]]) },
      { name: "b", value: 0, refused: new Map([["origin_not_allowed", 100]]) },
    ]);
    const [, , ...rects] = [...text.matchAll(/class="(bar[^"]*)".*? y="([\d.]+)".*? height="([\d.]+)"/g)].flatMap(
      ([, name, y, height]) => [name, Number(y), Number(height)],
    );
    expect(rects).to.deep.equal([60, "bar refused", 30, 30, "bar", 120, 0, "bar refused", 0, 120]);
    expect(text).to.include("<title>a: 50, 25 refused</title>").and.include("max: 100");
    const cells = (row: string) => [...row.matchAll(/>([\w,]+)<\/(?:code|td)>/g)].map(([, cell]) => cell);
    const [head = "", ...rows] = text.slice(text.indexOf("<thead>")).split("</tr>");
    expect(cells(head)).to.deep.equal(["origin_not_allowed", "rate_limited"]);
    expect(rows.slice(0, 2).map(cells)).to.deep.equal([
      ["0", "100", "0"],
      ["50", "0", "25"],
    ]);
  });

  it("has a table of all values, latest first, with links", () => {
    const text = chartOf([
      { name: "2026-10", value: 1_234, href: "/x?month=2026-10" },
      { name: "2026-11", value: 5 },
    ]);
    const rows = [...text.matchAll(/<tr><th scope="row">(.*?)<\/th><td class="number">(.*?)<\/td>/g)];
    expect(rows.map(([, name, value]) => [name, value])).to.deep.equal([
      ["2026-11", "5"],
      ['<a href="/x?month=2026-10">2026-10</a>', "1,234"],
    ]);
  });
});
