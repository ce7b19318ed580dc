import { expect } from "chai";
import type { IssuedKey } from "./issued-key.ts";
import { type KeyFilter, type KeySort, keysFrom, pageOf, sortedPageOf } from "./key-listing.ts";

const key = (keyId: string, given: Partial<IssuedKey> = {}): IssuedKey => ({
  status: "active",
  keyId,
  kind: "secret",
  plan: "free",
  label: "",
  origins: [],
  display: "geo_sk_…wxyz",
  version: 1,
  createdAt: "2026-01-02T03:04:05.000Z",
  ...given,
});
const idsOf = (keys: readonly IssuedKey[]) => keys.map(({ keyId }) => keyId);

describe("pageOf", () => {
  const keys = [
    key("key_Aa", { label: "Läden in Übersee", kind: "publishable", display: "geo_pk_…1234" }),
    key("key_Bb", { plan: "paid", origins: ["https://shop.example", "https://*.a.example"] }),
    key("key_Cc", { status: "revoked", label: "a shop" }),
  ];
  const cases: [what: string, filter: KeyFilter, expected: string[]][] = [
    ["nothing", {}, ["key_Aa", "key_Bb", "key_Cc"]],
    ["blanks", { search: "  " }, ["key_Aa", "key_Bb", "key_Cc"]],
    ["a part of a label, in any case", { search: "ÜBERSEE" }, ["key_Aa"]],
    ["a part of an origin or a label", { search: "shop" }, ["key_Bb", "key_Cc"]],
    ["an origin that is not the first", { search: "*.a.ex" }, ["key_Bb"]],
    ["a key id", { search: " key_cc " }, ["key_Cc"]],
    ["the end of a display form", { search: "…1234" }, ["key_Aa"]],
    ["a kind", { kind: "publishable" }, ["key_Aa"]],
    ["a plan", { plan: "paid" }, ["key_Bb"]],
    ["a status", { status: "active" }, ["key_Aa", "key_Bb"]],
    ["several", { search: "shop", status: "revoked", kind: "secret" }, ["key_Cc"]],
    ["several that no key has together", { plan: "paid", status: "revoked" }, []],
  ];
  for (const [what, filter, expected] of cases)
    it(`finds keys by ${what}`, () => {
      const page = pageOf(keys, filter, 10);
      expect([idsOf(page.keys), page.lastKeyId]).to.deep.equal([expected, null]);
    });

  it("splits keys into pages, and says where the next page begins, if any", () => {
    const cut = (size: number) => {
      const page = pageOf(keys, {}, size);
      return [idsOf(page.keys), page.lastKeyId];
    };
    expect(cut(1)).to.deep.equal([["key_Aa"], "key_Aa"]);
    expect(cut(2)).to.deep.equal([["key_Aa", "key_Bb"], "key_Bb"]);
    expect(cut(3)).to.deep.equal([["key_Aa", "key_Bb", "key_Cc"], null]);
  });

  it("examines at most 4,000 keys", () => {
    const many = Array.from({ length: 4_001 }, (_, index) => key(`key_${index}`));
    const page = pageOf(many, { search: "key_4000" }, 10);
    expect(page).to.deep.equal({ keys: [], lastKeyId: "key_3999" });
    expect(idsOf(pageOf(many.slice(4_000), { search: "key_4000" }, 10).keys)).to.deep.equal(["key_4000"]);
  });

  it("ends a page at a million characters", () => {
    const origins = Array.from({ length: 100 }, (_, index) => `https://${"a".repeat(200)}${index}.example`);
    const page = pageOf(
      Array.from({ length: 1_000 }, (_, index) => key(`key_${index}`, { origins })),
      {},
      1_000,
    );
    expect(JSON.stringify(page.keys).length).to.be.within(1_000_000, 1_100_000);
    expect(page.lastKeyId).to.equal(page.keys.at(-1)?.keyId);
  });
});

describe("keysFrom", () => {
  const keys = ["a", "b", "c"].map((keyId) => key(keyId));
  const cases: [afterIndex: number | null, isDescending: boolean, expected: string[]][] = [
    [null, false, ["a", "b", "c"]],
    [0, false, ["b", "c"]],
    [2, false, []],
    [null, true, ["c", "b", "a"]],
    [2, true, ["b", "a"]],
    [0, true, []],
  ];
  for (const [afterIndex, isDescending, expected] of cases)
    it(`lists keys ${isDescending ? "before" : "after"} ${afterIndex ?? "none"}`, () =>
      expect(idsOf([...keysFrom(keys, { afterIndex, isDescending })])).to.deep.equal(expected));
});

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
