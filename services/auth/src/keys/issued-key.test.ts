import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import type { Customer } from "./customer.ts";
import type { IssuedKey } from "./issued-key.ts";
import { endOf, futureEndOf, quotasOf, statusOf } from "./issued-key.ts";

const KEY: IssuedKey = {
  ...{ status: "active", keyId: "key_1", kind: "secret", plan: "free", label: "", origins: [], display: "" },
  ...{ version: 1, createdAt: "2026-01-01T00:00:00.000Z" },
};
const ACME: Customer = { id: "acme", name: "", plan: "paid", version: 1, createdAt: "2026-01-01T00:00:00.000Z" };
const DISABLED_ACME: Customer = { ...ACME, disabledAt: "2026-01-04T00:00:00.000Z" };
const NOW = "2026-01-10T00:00:00.000Z";
const PAST = "2026-01-09T00:00:00.000Z";
const FUTURE = "2026-01-10T00:00:00.001Z";

describe("statusOf", () => {
  const cases: [what: string, key: Partial<IssuedKey>, customer: Customer | undefined, status: string, at?: string][] =
    [
      ["a new key", {}, undefined, "active"],
      ["a key of a customer", { customer: "acme" }, ACME, "active"],
      ["a key that expires later", { expiresAt: FUTURE }, undefined, "active"],
      ["a key that expires now", { expiresAt: NOW }, undefined, "expired", NOW],
      ["a rotated key within the overlap", { endsAt: FUTURE }, undefined, "active"],
      ["a rotated key after it", { endsAt: PAST }, undefined, "rotated", PAST],
      ["a rotated key that has expired, too", { endsAt: NOW, expiresAt: PAST }, undefined, "rotated", NOW],
      [
        "a rotated key that expires within the overlap",
        { endsAt: FUTURE, expiresAt: PAST },
        undefined,
        "expired",
        PAST,
      ],
      ["a disabled key", { disabledAt: PAST, endsAt: PAST, expiresAt: PAST }, undefined, "disabled", PAST],
      ["a key of a disabled customer", { customer: "acme" }, DISABLED_ACME, "disabled", "2026-01-04T00:00:00.000Z"],
      ["a revoked key", { status: "revoked", disabledAt: PAST, expiresAt: PAST }, DISABLED_ACME, "revoked"],
    ];
  for (const [what, change, customer, status, at] of cases)
    it(`is ${status} for ${what}`, () => {
      const key = { ...KEY, ...change };
      expect(statusOf(key, customer, Date.parse(NOW))).to.equal(status);
      if (status !== "revoked")
        expect(endOf(key, customer, Date.parse(NOW))).to.deep.equal(at === undefined ? null : { how: status, at });
    });
});

describe("futureEndOf", () => {
  const cases: [expiresAt: string | undefined, endsAt: string | undefined, end: object | undefined][] = [
    [undefined, undefined, undefined],
    [PAST, undefined, { how: "expired", at: PAST }],
    [undefined, PAST, { how: "rotated", at: PAST }],
    [PAST, FUTURE, { how: "expired", at: PAST }],
    [FUTURE, PAST, { how: "rotated", at: PAST }],
  ];
  for (const [expiresAt, endsAt, end] of cases)
    it(`is the earlier of ${expiresAt} and ${endsAt}`, () => {
      const key = { ...KEY, ...(expiresAt && { expiresAt }), ...(endsAt && { endsAt }) };
      expect(futureEndOf(key)).to.deep.equal(end);
    });
});

describe("quotasOf", () => {
  const plans: Plans = new Map([
    ["free", { fields: "free", monthlyRequests: 10 }],
    ["paid", { fields: "paid", monthlyRequests: 1_000 }],
  ]);
  const OWN = { id: "key_1", monthlyRequests: 10 };
  const ACMES = { id: "customer_acme", monthlyRequests: 1_000 };
  const customers = [ACME, { ...ACME, id: "big", monthlyRequests: 7_000 }, { ...ACME, id: "lost", plan: "gone" }];
  const of = (change: Partial<IssuedKey>) =>
    quotasOf(
      { ...KEY, ...change },
      { customer: (id) => customers.find((each) => each.id === id), plans, nowMs: Date.parse(NOW) },
    );
  const cases: [what: string, key: Partial<IssuedKey>, quotas: object][] = [
    ["its own", {}, { quota: OWN }],
    ["the first key's of its rotations", { rotationRoot: "key_0" }, { quota: { ...OWN, id: "key_0" } }],
    ["its customer's plan's", { customer: "acme", rotationRoot: "key_0" }, { quota: ACMES }],
    ["its customer's own", { customer: "big" }, { quota: { id: "customer_big", monthlyRequests: 7_000 } }],
    [
      "its own until it counts toward its new customer's",
      { customer: "acme", quotaBefore: { customer: null, until: "2026-02" } },
      { quota: OWN, nextQuota: { ...ACMES, from: "2026-02" } },
    ],
    [
      "its new customer's from that month on",
      { customer: "acme", quotaBefore: { customer: null, until: "2026-01" } },
      { quota: ACMES },
    ],
    [
      "its former customer's until the next month",
      { quotaBefore: { customer: "acme", until: "2026-02" } },
      { quota: ACMES, nextQuota: { ...OWN, from: "2026-02" } },
    ],
  ];
  for (const [what, change, quotas] of cases) it(`is ${what}`, () => expect(of(change)).to.deep.equal(quotas));

  it("throws if a plan or customer is missing, and names it", () => {
    expect(() => of({ plan: "gone" })).to.throw(/key_1 has the plan gone/);
    expect(() => of({ customer: "nobody" })).to.throw(/key_1 has the customer nobody/);
    expect(() => of({ customer: "lost" })).to.throw(/customer lost has the plan gone/);
  });
});
