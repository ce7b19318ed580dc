import { expect } from "chai";
import { FormError } from "./forms.ts";
import { readMonth } from "./usage-months.ts";

const NOW_MS = Date.UTC(2026, 10, 21);

describe("readMonth", () => {
  for (const [url, month] of [
    ["/keys/key_1", null],
    ["/keys/key_1?month=", null],
    ["/keys/key_1?month=2026-11", "2026-11"],
    ["/keys/key_1?month=2025-10", "2025-10"],
  ] as const)
    it(`is ${month} for ${url}`, () => expect(readMonth(url, NOW_MS)).to.equal(month));

  for (const value of ["2026-13", "2026-99", "2026-12", "2025-09", "2026-1", "nonsense", "2026-11-01", "%00"])
    it(`refuses ${value} and names the available months`, () =>
      expect(() => readMonth(`/keys/key_1/usage.csv?month=${value}`, NOW_MS))
        .to.throw(FormError, "between 2025-10 and 2026-11")
        .with.property("status", 400));
});
