import { expect } from "chai";
import { axisEnd, barChart } from "./chart.ts";

/** The heights of a chart's bars, without the tracks. */
function heights(markup: string): number[] {
  return [...markup.matchAll(/class="bar[^"]*".*? height="([\d.]+)"/g)].map(([, height]) => Number(height));
}

describe("barChart", () => {
  it("draws the maximum at full height, and zero as nothing", () => {
    const { text } = barChart("Requests", [
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
    const { text } = barChart("Requests", [{ name: "a", value: 1 }]);
    expect(text.indexOf('class="grid"')).to.be.within(0, text.indexOf('class="bar"'));
  });

  it("marks the current bar", () => {
    const { text } = barChart("Requests", [
      { name: "a", value: 1, tick: "1" },
      { name: "b", value: 2, tick: "today", isCurrent: true },
    ]);
    expect(text)
      .to.match(/<g class="current"><title>b: 2 so far<\/title>/)
      .and.include("<span>1</span><strong>today</strong>");
  });

  it("keeps one request visible next to millions", () => {
    const { text } = barChart("Requests", [
      { name: "a", value: 1 },
      { name: "b", value: 9_000_000 },
    ]);
    expect(heights(text)[0]).to.be.above(1);
    expect(text).to.include("max: 9,000,000");
  });

  it("is flat for zeros, and works without bars", () => {
    expect(heights(barChart("Requests", [{ name: "a", value: 0 }]).text)).to.deep.equal([0]);
    expect(barChart("Requests", []).text).to.include("max: 0").and.not.include("NaN").and.not.include("Infinity");
  });

  it("has a table of all values, latest first, with links", () => {
    const { text } = barChart("Requests", [
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
