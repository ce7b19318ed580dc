import { expect } from "chai";
import { barChart } from "./chart.ts";

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
    expect(text).to.include("max: 200").and.include("<title>b: 50</title>");
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
