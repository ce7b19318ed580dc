import { expect } from "chai";
import { csvField, usageCsv } from "./usage-csv.ts";

describe("usage as CSV", () => {
  for (const [text, field] of [
    ["plain", "plain"],
    ["", ""],
    ["a,b", '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ["a\nb", '"a\nb"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["  =1", "'  =1"],
    ["\t=1", "'\t=1"],
    ["\tx", "'\tx"],
    ["\u200B=1", "'\u200B=1"],
    ["＝1", "'＝1"],
    ['=A("x",1)', `"'=A(""x"",1)"`],
    ["a=1", "a=1"],
    ["x;=A(1)", "x;'=A(1)"],
    ["x; +1;y", "x;' +1;y"],
  ] as const)
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(field)}`, () => expect(csvField(text)).to.equal(field));

  it("has a row for every day with requests", () => {
    const key = {
      keyId: "key_1",
      label: "=x",
      plan: "free",
      kind: "secret" as const,
      origins: [],
      display: "",
      status: "active" as const,
    };
    const month = {
      keyId: "key_1",
      month: "2026-11",
      total: 3,
      days: [{ day: "2026-11-02", requests: 3 }],
      refusals: [],
    };
    expect(usageCsv({ ...key, createdAt: "", version: 1 }, [month])).to.equal(
      "key_id,label,plan,day,requests\r\nkey_1,'=x,free,2026-11-02,3\r\n",
    );
  });
});
