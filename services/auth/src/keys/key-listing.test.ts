import { expect } from "chai";
import type { IssuedKey } from "./key.ts";
import { type KeyFilter, keysFrom, pageOf } from "./key-listing.ts";

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
