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
const recorded = ({ status }: IssuedKey) => status;
/** How many turns of the event loop other work got while a function ran. */
async function countingTurns<Result>(run: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const result = await run();
  clearImmediate(counting);
  return { result, turns };
}
const at = (keys: readonly IssuedKey[]) => (position: number) => keys[position];
const idsOf = (keys: readonly IssuedKey[]) => keys.map(({ keyId }) => keyId);

describe("pageOf", () => {
  const keys = [
    key("key_Aa", { label: "Läden in Übersee", kind: "publishable", display: "geo_pk_…1234" }),
    key("key_Bb", { plan: "paid", origins: ["https://shop.example", "https://*.a.example"] }),
    key("key_Cc", { status: "revoked", label: "a shop" }),
    key("key_Dd", { label: "İz", customer: "acme-eu", metadata: { tier: "Gold", "ref.no": "a=b" } }),
  ];
  const cases: [what: string, filter: KeyFilter, expected: string[]][] = [
    ["nothing", {}, ["key_Aa", "key_Bb", "key_Cc", "key_Dd"]],
    ["blanks", { search: "  " }, ["key_Aa", "key_Bb", "key_Cc", "key_Dd"]],
    ["a part of a label, in any case", { search: "ÜBERSEE" }, ["key_Aa"]],
    ["a letter whose lower case has two", { search: "İZ" }, ["key_Dd"]],
    ["a part of an origin or a label", { search: "shop" }, ["key_Bb", "key_Cc"]],
    ["an origin that is not the first", { search: "*.a.ex" }, ["key_Bb"]],
    ["a key id", { search: " key_cc " }, ["key_Cc"]],
    ["the end of a display form", { search: "…1234" }, ["key_Aa"]],
    ["the start of a display form", { search: "GEO_PK" }, ["key_Aa"]],
    ["the last characters of a key", { search: "1234" }, ["key_Aa"]],
    ["a kind", { kind: "publishable" }, ["key_Aa"]],
    ["a plan", { plan: "paid" }, ["key_Bb"]],
    ["a status", { status: "active" }, ["key_Aa", "key_Bb", "key_Dd"]],
    ["a customer's ID", { search: "ACME" }, ["key_Dd"]],
    ["a part of a metadata value", { search: "gol" }, ["key_Dd"]],
    ["a pair of metadata", { search: "TIER=gold" }, ["key_Dd"]],
    ["a pair of metadata with another =", { search: "ref.no=a=b" }, ["key_Dd"]],
    ["a name in the metadata, with any value", { search: "tier=" }, ["key_Dd"]],
    ["a part of a pair, which isn't enough", { search: "tier=gol" }, []],
    ["a name of metadata, which isn't enough", { search: "tier" }, []],
    ["what would be a pattern", { search: "key_.a" }, []],
    ["several", { search: "shop", status: "revoked", kind: "secret" }, ["key_Cc"]],
    ["several that no key has together", { plan: "paid", status: "revoked" }, []],
  ];
  for (const [what, filter, expected] of cases)
    it(`finds keys by ${what}`, async () => {
      const page = await pageOf(at(keys), filter, 10, recorded);
      expect([idsOf(page.keys), page.lastKeyId]).to.deep.equal([expected, null]);
    });

  it("splits keys into pages, and says where the next page begins, if any", async () => {
    const cut = async (size: number) => {
      const page = await pageOf(at(keys), {}, size, recorded);
      return [idsOf(page.keys), page.lastKeyId];
    };
    expect(await cut(1)).to.deep.equal([["key_Aa"], "key_Aa"]);
    expect(await cut(2)).to.deep.equal([["key_Aa", "key_Bb"], "key_Bb"]);
    expect(await cut(3)).to.deep.equal([["key_Aa", "key_Bb", "key_Cc"], "key_Cc"]);
  });

  it("finds the only match among many keys, and lets other work run in between", async () => {
    const many = Array.from({ length: 20_001 }, (_, index) => key(`key_${index}`));
    const { result, turns } = await countingTurns(() => pageOf(at(many), { search: "key_20000" }, 10, recorded));
    expect([idsOf(result.keys), result.lastKeyId]).to.deep.equal([["key_20000"], null]);
    expect(turns).to.be.at.least(9);
  });

  it("ends a page at a million characters", async () => {
    const origins = Array.from({ length: 100 }, (_, index) => `https://${"a".repeat(200)}${index}.example`);
    const keys = Array.from({ length: 1_000 }, (_, index) => key(`key_${index}`, { origins }));
    const page = await pageOf(at(keys), {}, 1_000, recorded);
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
    it(`lists keys ${isDescending ? "before" : "after"} ${afterIndex ?? "none"}`, () => {
      const all: IssuedKey[] = [];
      const keyAt = keysFrom({ all: keys }, { afterIndex, isDescending });
      for (let found = keyAt(0); found; found = keyAt(all.length)) all.push(found);
      expect(idsOf(all)).to.deep.equal(expected);
    });
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
      const page = await sortedPageOf({ all: keys }, sort, { filter, afterIndex, pageSize, statusOf: recorded });
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
      { all: keysOf(many) },
      { order: "label", isDescending: true },
      { filter: { search: "5" }, afterIndex: null, pageSize: 50, statusOf: recorded },
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
    const page = { filter: { search: "x" }, afterIndex: null, pageSize: 9, statusOf: recorded };
    const { turns } = await countingTurns(() =>
      sortedPageOf({ all: many }, { order: "plan", isDescending: false }, page),
    );
    expect(turns).to.be.at.least(9);
  });
});
