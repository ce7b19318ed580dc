import type { CustomerView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { expect } from "chai";
import { parseDeclaration } from "./declaration.ts";
import { differences } from "./differences.ts";

const SHOP: KeyView = {
  ...{ keyId: "key_1", kind: "publishable", plan: "paid", label: "Shop", origins: ["https://shop.example"] },
  ...{ display: "geo_pk_…1234", status: "active", createdAt: "2026-11-29T00:00:00.000Z", version: 1 },
  ...{ customer: "acme", metadata: { apply: "shop", team: "web" } },
};
const ACME: CustomerView = {
  ...{ id: "acme", name: "Acme", plan: "paid", status: "active", createdAt: "2026-11-29T00:00:00.000Z" },
  ...{ version: 1, keys: 1, activeKeys: 1 },
};
const DECLARED = {
  customers: { acme: { name: "Acme", plan: "paid" } } as object,
  keys: {
    shop: {
      ...{ kind: "publishable", plan: "paid", label: " Shop ", origins: ["https://Shop.example:443/".slice(0, -1)] },
      ...{ customer: "acme", metadata: { team: "web" } },
    },
  },
};

function compare(declared: object, { customers = [ACME], keys = [SHOP] } = {}) {
  const problems: string[] = [];
  const parsed = parseDeclaration(Buffer.from(JSON.stringify(declared)), "keys.yaml");
  const steps = differences(parsed, customers, keys, (place) => problems.push(place));
  return { ...steps, problems };
}
const declare = (key: object, customer: object = {}) => ({
  customers: { acme: { name: "Acme", plan: "paid", ...customer } },
  keys: { shop: { ...DECLARED.keys.shop, ...key } },
});
/** The calls for one changed property. */
const callsFor = (key: object, customer: object = {}, current = {}) => {
  const { customers, keys } = compare(declare(key, customer), current);
  return [...customers, ...keys].flatMap(({ calls }) => calls as object[]);
};

describe("what apply changes", () => {
  it("changes nothing if everything is as declared, in auth's normal form", () =>
    expect(compare(DECLARED)).to.deep.equal({ customers: [], keys: [], newKeys: [], problems: [] }));

  for (const [key, call] of [
    [{ plan: "free" }, { method: "SetPlan", request: { keyId: "key_1", plan: "free" } }],
    [{ label: "" }, { method: "SetLabel", request: { keyId: "key_1", label: "" } }],
    [{ origins: [] }, { method: "SetOrigins", request: { keyId: "key_1", origins: [] } }],
    [{ customer: "" }, { method: "SetCustomer", request: { keyId: "key_1", customer: "" } }],
    [{ metadata: {} }, { method: "SetMetadata", request: { keyId: "key_1", metadata: { apply: "shop" } } }],
    [{ enabled: false }, { method: "DisableKey", request: { keyId: "key_1" } }],
    [
      { expires: "2027-01-01" },
      { method: "SetExpiry", request: { keyId: "key_1", expiresAt: "2027-01-01T00:00:00.000Z" } },
    ],
  ] as const)
    it(`calls ${call.method} for ${JSON.stringify(key)}`, () => expect(callsFor(key)).to.deep.equal([call]));

  it("removes an expiry, and enables a key", () => {
    const current = {
      keys: [{ ...SHOP, expiresAt: "2027-01-01T00:00:00.000Z", disabledAt: "2026-11-29T00:00:00.000Z" }],
    };
    expect(callsFor({}, {}, current)).to.deep.equal([
      { method: "SetExpiry", request: { keyId: "key_1", expiresAt: "" } },
      { method: "EnableKey", request: { keyId: "key_1" } },
    ]);
    expect(callsFor({ enabled: false, expires: "2027-01-01" }, {}, current)).to.deep.equal([]);
  });

  it("doesn't take a key for disabled that only its customer is", () => {
    const disabledAt = "2026-11-29T00:00:00.000Z";
    const customers = [{ ...ACME, status: "disabled" as const, disabledAt }];
    const keys = [{ ...SHOP, status: "disabled" as const, disabledAt }];
    expect(callsFor({}, { enabled: false }, { customers, keys })).to.deep.equal([]);
  });

  it("leaves the plan alone if only the customer is declared", () =>
    expect(callsFor({ plan: undefined })).to.deep.equal([]));

  it("adds, changes, disables and enables customers", () => {
    const request = { id: "acme", name: "Acme", plan: "paid" };
    expect(callsFor({}, { enabled: false }, { customers: [] })).to.deep.equal([
      { method: "AddCustomer", request },
      { method: "DisableCustomer", request: { id: "acme" } },
    ]);
    expect(callsFor({}, { monthlyRequests: 5 })).to.deep.equal([
      { method: "ChangeCustomer", request: { ...request, monthlyRequests: 5 } },
    ]);
    expect(callsFor({}, { plan: "free" }, { customers: [{ ...ACME, monthlyRequests: 5 }] })).to.deep.equal([
      { method: "ChangeCustomer", request: { ...request, plan: "free", hasPlanQuota: true } },
    ]);
    expect(callsFor({}, {}, { customers: [{ ...ACME, status: "disabled" }] })).to.deep.equal([
      { method: "EnableCustomer", request: { id: "acme" } },
    ]);
  });

  it("follows a key to its successor, and issues a new one for a revoked key", () => {
    const rotated = { ...SHOP, status: "rotated" as const, rotatedTo: "key_2" };
    const successor = { ...SHOP, keyId: "key_2", rotatedFrom: "key_1" };
    const { keys } = compare(declare({ label: "New" }), { keys: [rotated, successor] });
    expect(keys.map(({ keyId }) => keyId)).to.deep.equal(["key_2"]);
    const { newKeys } = compare(DECLARED, { keys: [rotated, { ...successor, status: "revoked" }] });
    expect(newKeys.map(({ action, name }) => [action, name])).to.deep.equal([["issue", "shop"]]);
  });

  it("refuses to change a key's kind and permission", () =>
    expect(compare(declare({ kind: "secret", forward: true })).problems).to.deep.equal([
      "keys.shop.kind",
      "keys.shop.forward",
    ]));

  it("shows what changes, before and after", () =>
    expect(compare(declare({ plan: "free", label: "" })).keys[0]?.changes).to.deep.equal({
      plan: ["paid", "free"],
      label: ["Shop", ""],
    }));
});
