import { FIELDS } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { fieldsNotice } from "./fields-notice.ts";
import { requestedFields } from "./query.ts";

describe("fieldsNotice", () => {
  const free = (names: string) =>
    fieldsNotice(requestedFields(new URLSearchParams({ fields: names })) ?? new Set(), "free", "free");

  for (const [names, notice] of [
    ["country,continent,partial", null],
    ["town,city", 'unknown field "town"; "city" is not in plan "free"'],
    ["Country", 'unknown field "Country"'],
    ["country,asn", '"asn" is not in plan "free"'],
    ["a,b,c,d,e", 'unknown field "a"; unknown field "b"; unknown field "c"'],
    ["a,a,a,a,b", 'unknown field "a"; unknown field "b"'],
    ["__proto__,constructor", 'unknown field "__proto__"; unknown field "constructor"'],
    ['a"b\\c%d e', 'unknown field "a%22b%5Cc%25d e"'],
    ["city\r\nSet-Cookie: a=b", 'unknown field "city%0D%0ASet-Cookie: a=b"'],
    ["żó🐢\u007f", 'unknown field "%C5%BC%C3%B3%F0%9F%90%A2%7F"'],
    [`${"x".repeat(39)}ż`, `unknown field "${"x".repeat(39)}..."`],
  ] as const)
    it(JSON.stringify(names), () => expect(free(names)).to.equal(notice));

  it("names the free tier without a key, and finds every field in a plan with the paid fields", () => {
    expect(fieldsNotice(new Set(["city"]), "free", undefined)).to.equal('"city" is not in the free tier');
    expect(fieldsNotice(new Set([...FIELDS, "partial"]), "paid", "paid")).to.equal(null);
  });

  it("never has more than 200 bytes, and is printable ASCII", () => {
    const longest = [...FIELDS].sort((a, b) => b.length - a.length);
    for (const names of [longest, ["ż".repeat(9), "\n".repeat(5_000), '"'.repeat(5_000), "x".repeat(5_000)]]) {
      const notice = fieldsNotice(new Set(names), "free", "p".repeat(32)) ?? "";
      expect(notice).to.match(/^[ -~]{150,200}$/);
      const both = fieldsNotice(new Set(names), "free", "p".repeat(32), "another notice".repeat(6)) ?? "";
      expect(both).to.match(/^(another notice){6}; [ -~]{20,114}$/);
    }
  });
});
