import { expect } from "chai";
import { orderQuery, readSort, sortHeading, sortRows, sortText, tableOrders } from "./table-sort.ts";

const INITIAL = { column: "name", isDescending: false };

describe("the order of a table", () => {
  it("is in the URL, and falls back to the initial one", () => {
    for (const sort of [INITIAL, { column: "age", isDescending: true }])
      expect(readSort(sortText(sort), ["name", "age"], { column: "x", isDescending: false })).to.deep.equal(sort);
    for (const text of [null, "", "-", "size", "--age", "constructor"])
      expect(readSort(text, ["name", "age"], INITIAL), String(text)).to.equal(INITIAL);
  });

  it("is shown in the headings, whose links reverse it or sort by another column", () => {
    const heading = (column: string, sort: typeof INITIAL, first?: "descending") =>
      sortHeading("Label", { column, sort, linkTo: (to) => `?${sortText(to)}`, ...(first && { first }) }).text;
    expect(heading("name", INITIAL)).to.include('aria-sort="ascending"').and.include('href="?-name"');
    expect(heading("name", { ...INITIAL, isDescending: true }))
      .to.include('"descending"')
      .and.include('href="?name"');
    expect(heading("age", INITIAL)).to.include('href="?age"').and.not.include("aria-sort");
    expect(heading("age", INITIAL, "descending")).to.include('href="?-age"');
  });

  it("keeps the orders of a page's other tables, and nothing else in the URL", () => {
    const query = orderQuery("/?a=-age&b=name&c=%3Cscript&page=7", ["a", "b", "c"]);
    expect(query.toString()).to.equal("a=-age&b=name");
    const { sort, linkTo } = tableOrders("/page", query)("a", ["name", "age"], INITIAL);
    expect(sort).to.deep.equal({ column: "age", isDescending: true });
    expect(linkTo(INITIAL)).to.equal("/page?a=name&b=name");
  });

  it("sorts numbers in names by value and unknown values last, and keeps equal rows in order", () => {
    const rows = [{ of: "v10" }, { of: "v9" }, { of: null }, { of: "v10", isSecond: true }];
    const sorted = (isDescending: boolean) =>
      sortRows(rows, ({ of }) => of, isDescending).map((row) => rows.indexOf(row));
    expect([sorted(false), sorted(true)]).to.deep.equal([
      [1, 0, 3, 2],
      [0, 3, 1, 2],
    ]);
    expect(sortRows([9, 10, 1], (each) => each, true)).to.deep.equal([10, 9, 1]);
  });
});
