import { expect } from "chai";
import { FormError } from "./forms.ts";
import { rangeLinks, rangeQuery, readRange } from "./usage-range.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const read = (query: string) => readRange(`/keys/key_1${query}`, NOW_MS);

describe("readRange", () => {
  it("reads a range or a month, by default days", () => {
    for (const query of ["", "?range=", "?month="]) expect(read(query), query).to.equal("days");
    for (const range of ["hours", "days", "months"] as const) expect(read(rangeQuery(range))).to.equal(range);
    expect(read(rangeQuery({ month: "2026-10" }))).to.deep.equal({ month: "2026-10" });
  });

  it("refuses others", () => {
    for (const value of ["7", "Hours", "constructor", "%00"])
      expect(() => read(`?range=${value}`), value)
        .to.throw(FormError, "must be hours, days or months")
        .with.property("status", 400);
    expect(() => read("?month=2025-01")).to.throw(FormError, "between 2025-10 and 2026-11");
  });
});

describe("rangeLinks", () => {
  it("marks the range that is shown", () => {
    expect(rangeLinks("key_1", "hours").text).to.match(/\?range=hours#usage" aria-current="true">48 hours/);
    expect(rangeLinks("key_1", { month: "2026-10" }).text).to.not.include("aria-current");
  });
});
