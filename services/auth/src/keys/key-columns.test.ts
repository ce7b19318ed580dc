import { expect } from "chai";
import type { IssuedKey } from "./key.ts";
import { createKeyColumns } from "./key-columns.ts";

const KEY: IssuedKey = {
  status: "active",
  keyId: "key_aB3dE6gH9jK2",
  kind: "secret",
  plan: "free",
  label: "Shop",
  origins: ["https://example.com"],
  display: "geo_sk_…zZ09",
  version: 1,
  createdAt: "2026-01-02T03:04:05.678Z",
};

describe("createKeyColumns", () => {
  const cases: [what: string, change: Partial<IssuedKey>][] = [
    ["an ordinary key", {}],
    ["a publishable key", { kind: "publishable", display: "geo_pk_…0000" }],
    ["no origins, no label", { origins: [], label: "" }],
    ["many origins", { origins: Array.from({ length: 100 }, (_, i) => `https://*.shop-${i}.example:8443`) }],
    ["a label in every script", { label: "Läden 商店 🌍" }],
    ["a label of two lines", { label: "two\nlines" }],
    ["a label of two lines without origins", { label: "two\n", origins: [] }],
    ["a key that may forward", { mayForward: true }],
    ["a long plan name", { plan: "a".repeat(32) }],
    ["many versions", { version: 4_000_000_000 }],
    ["the first moment", { createdAt: "1970-01-01T00:00:00.000Z" }],
    ["a far future", { createdAt: "9999-12-31T23:59:59.999Z" }],
    ["a time of another form", { createdAt: "2026-01-02T03:04:05Z" }],
    ["an invalid time", { createdAt: "yesterday" }],
    ["a display form of another form", { display: "geo_pk_…abcd" }],
    ["a short one", { display: "x" }],
    ["one in another script", { display: "geo_sk_…日本日本" }],
    [
      "a revoked key",
      { status: "revoked", revokedAt: "2026-02-03T04:05:06.789Z", revokedReason: "leaked", version: 2 },
    ],
    ["a key revoked without a reason", { status: "revoked", revokedAt: "2026-02-03T04:05:06.789Z", revokedReason: "" }],
  ];
  for (const [what, change] of cases)
    it(`returns ${what} unchanged, also after replacing another key`, () => {
      const key = { ...KEY, ...change };
      const columns = createKeyColumns();
      expect([columns.add(key), columns.add(KEY), columns.add(KEY)]).to.deep.equal([0, 1, 2]);
      columns.replace(1, key);
      expect([0, 1, 2].map((row) => columns.get(row, KEY.keyId))).to.deep.equal([key, key, KEY]);
      columns.replace(0, KEY);
      expect([0, 1, 2].map((row) => columns.get(row, KEY.keyId))).to.deep.equal([KEY, key, KEY]);
      for (const [row, { status, keyId, kind, plan, origins, display, mayForward }] of [KEY, key, KEY].entries())
        expect(columns.authorizationData(row, KEY.keyId)).to.deep.equal({
          status,
          keyId,
          kind,
          plan,
          origins,
          display,
          ...(mayForward && { mayForward }),
        });
    });

  it("reads rows that an older version stored, whose flags don't say that a key has no origins", () => {
    const columns = createKeyColumns();
    const keys = [KEY, { ...KEY, origins: [] }];
    for (const key of keys) columns.add(key);
    const { rows, planNames } = columns.copy();
    const stored = rows(0, 2);
    const flags = stored.numbers.flags.map((flag) => flag & 7);
    const restored = createKeyColumns();
    restored.addStored({ ...stored, numbers: { ...stored.numbers, flags } }, planNames);
    expect(keys.map((key, row) => restored.get(row, key.keyId))).to.deep.equal(keys);
  });

  it("keeps many keys", () => {
    const columns = createKeyColumns();
    const keys = Array.from({ length: 3_000 }, (_, i) => ({
      ...KEY,
      keyId: `key_${i}`,
      version: i,
      plan: `plan${i % 7}`,
    }));
    for (const key of keys) columns.add(key);
    expect(keys.map(({ keyId }, row) => columns.get(row, keyId))).to.deep.equal(keys);
  });
});
