import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import type { KeyFilter } from "./key-listing.ts";
import { type KeySort, sortedPageOf } from "./key-sorting.ts";
import { createKeyTables } from "./key-tables.ts";

interface Given {
  label: string;
  kind?: "publishable" | "secret";
  plan?: string;
  isRevoked?: boolean;
}

function rowsOf(given: readonly Given[]) {
  const tables = createKeyTables();
  for (const [index, { label, kind = "secret", plan = "free", isRevoked = false }] of given.entries()) {
    const keyId = `key_${String(index).padStart(6, "0")}`;
    const envelope = (version: number) => ({ id: "", keyId, version, at: "2026-01-02T03:04:05.000Z", by: "test" });
    const data = { kind, plan, label, origins: [], keySha256: index.toString(16).padStart(64, "0"), display: "…abcd" };
    tables.apply({ ...envelope(1), type: "KeyIssued", data } as KeyChanged);
    if (isRevoked) tables.apply({ ...envelope(2), type: "KeyRevoked", data: { reason: "" } });
  }
  return tables.rows;
}

const KEYS: Given[] = [
  { label: "Shop 10", plan: "team" },
  { label: "shop 2", kind: "publishable", plan: "paid", isRevoked: true },
  { label: "Läden", plan: "free" },
  { label: "Shop 10", kind: "publishable" },
  { label: "", plan: "team" },
];

describe("sortedPageOf", () => {
  const rows = rowsOf(KEYS);
  const list = async (sort: KeySort, filter: KeyFilter = {}, pageSize = 10) => {
    const shown: string[] = [];
    let after: string | null = null;
    do {
      const page = await sortedPageOf(rows, sort, { filter, after, pageSize });
      expect(page.keys.length).to.be.at.most(pageSize);
      shown.push(...page.keys.map(({ keyId }) => keyId.slice(-1)));
      after = page.lastKeyId;
    } while (after !== null);
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
      rowsOf(many),
      { order: "label", isDescending: true },
      { filter: { search: "5" }, after: null, pageSize: 50 },
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
    const many = rowsOf(Array.from({ length: 20_000 }, () => ({ label: "same" })));
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    await sortedPageOf(
      many,
      { order: "plan", isDescending: false },
      { filter: { search: "x" }, after: null, pageSize: 9 },
    );
    clearInterval(count);
    expect(turns).to.be.above(10);
  });
});
