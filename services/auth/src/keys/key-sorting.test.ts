import { expect } from "chai";
import type { IssuedKey } from "./key.ts";
import type { KeyFilter } from "./key-listing.ts";
import { type KeySort, sortedPageOf } from "./key-sorting.ts";

type Given = Partial<IssuedKey> & { label: string };

const keysOf = (given: readonly Given[]) =>
  given.map(
    (values, index): IssuedKey => ({
      status: "active",
      keyId: `key_${String(index).padStart(6, "0")}`,
      kind: "secret",
      plan: "free",
      origins: [],
      display: "…abcd",
      version: 1,
      createdAt: "2026-01-02T03:04:05.000Z",
      ...values,
    }),
  );

const KEYS: Given[] = [
  { label: "Shop 10", plan: "team" },
  { label: "shop 2", kind: "publishable", plan: "paid", status: "revoked" },
  { label: "Läden", plan: "free" },
  { label: "Shop 10", kind: "publishable" },
  { label: "", plan: "team" },
];

describe("sortedPageOf", () => {
  const keys = keysOf(KEYS);
  const list = async (sort: KeySort, filter: KeyFilter = {}, pageSize = 10) => {
    const shown: string[] = [];
    let afterIndex: number | null = null;
    do {
      const page = await sortedPageOf(keys, sort, { filter, afterIndex, pageSize });
      expect(page.keys.length).to.be.at.most(pageSize);
      shown.push(...page.keys.map(({ keyId }) => keyId.slice(-1)));
      afterIndex = page.lastKeyId === null ? null : keys.findIndex(({ keyId }) => keyId === page.lastKeyId);
    } while (afterIndex !== null);
    return shown.join(" ");
  };

  const cases: [order: KeySort["order"], ascending: string][] = [
    // Numbers by their value, letters in either case, unlabeled keys by their ID, equal keys in the order of issue.
    ["label", "4 2 1 0 3"],
    ["kind", "1 3 0 2 4"],
    ["plan", "2 3 1 0 4"],
    ["status", "0 2 3 4 1"],
  ];
  for (const [order, ascending] of cases)
    it(`sorts by ${order}, in both directions and on pages of any size`, async () => {
      const descending = ascending.split(" ").reverse().join(" ");
      for (const pageSize of [1, 2, 3, 5, 10]) {
        expect(await list({ order, isDescending: false }, {}, pageSize)).to.equal(ascending);
        expect(await list({ order, isDescending: true }, {}, pageSize)).to.equal(descending);
      }
    });

  it("only lists keys that match the filter", async () => {
    expect(await list({ order: "label", isDescending: true }, { search: "shop", status: "active" }, 1)).to.equal("3 0");
    expect(await list({ order: "plan", isDescending: false }, { search: "nobody" })).to.equal("");
  });

  it("lists the same as sorting all of many keys", async () => {
    const many = Array.from({ length: 12_345 }, (_, index) => ({ label: `key ${(index * 7_919) % 12_345}` }));
    const { keys, lastKeyId } = await sortedPageOf(
      keysOf(many),
      { order: "label", isDescending: true },
      { filter: { search: "5" }, afterIndex: null, pageSize: 50 },
    );
    const expected = many
      .map(({ label }) => Number(label.slice(4)))
      .filter((number) => String(number).includes("5"))
      .sort((one, other) => other - one);
    // The search also finds IDs.
    const shown = keys.map(({ label }) => Number(label.slice(4)));
    expect(shown.filter((number) => String(number).includes("5"))).to.deep.equal(
      expected.filter((number) => number >= (shown.at(-1) ?? 0)),
    );
    expect([shown.length, lastKeyId]).to.deep.equal([50, keys.at(-1)?.keyId]);
  });

  it("lets other work run in between", async () => {
    const many = keysOf(Array.from({ length: 20_000 }, () => ({ label: "same" })));
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    await sortedPageOf(
      many,
      { order: "plan", isDescending: false },
      { filter: { search: "x" }, afterIndex: null, pageSize: 9 },
    );
    clearImmediate(counting);
    expect(turns).to.be.at.least(9);
  });
});
