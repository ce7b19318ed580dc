import { expect } from "chai";
import { plansHash } from "../../domain/plans.ts";
import { parseKeyEvent } from "./event.ts";

const ENVELOPE = { id: "e1", keyId: "key_1", version: 2, at: "2026-01-02T03:04:05.678Z", by: "admin" };
const ISSUED = {
  kind: "secret",
  plan: "free",
  label: "",
  origins: ["https://example.com"],
  keySha256: "0f".repeat(32),
  display: "geo_sk_…abcd",
};
const issued = (change: object) => ({ ...ENVELOPE, version: 1, type: "KeyIssued", data: { ...ISSUED, ...change } });
const revoked = (change: object) => ({ ...ENVELOPE, type: "KeyRevoked", data: { reason: "leaked" }, ...change });

const PLANS = { free: { fields: "free" as const, monthlyRequests: 5 } };
const plansChanged = (change: object, keyId = "plans") => ({
  ...{ ...ENVELOPE, keyId, type: "PlansChanged" },
  data: { plans: PLANS, hash: plansHash(new Map(Object.entries(PLANS))), ...change },
});

const SUCCESSOR = { keyId: "key_2", keySha256: "0f".repeat(32), display: "geo_sk_…abcd" };
const rotated = (change: object) => ({
  ...{ ...ENVELOPE, type: "KeyRotated" },
  data: { successor: SUCCESSOR, endsAt: "2026-01-03T00:00:00.000Z", ...change },
});
const customerAdded = (change: object, keyId = "customer_acme") => ({
  ...{ ...ENVELOPE, keyId, version: 1, type: "CustomerAdded" },
  data: { name: "", plan: "free", ...change },
});

describe("reading a key event", () => {
  const good = [
    issued({}),
    issued({ kind: "publishable", origins: [] }),
    issued({ mayForward: true }),
    revoked({}),
    { ...ENVELOPE, type: "KeyPlanChanged", data: { plan: "paid" } },
    { ...ENVELOPE, type: "KeyOriginsChanged", data: { origins: ["https://a.example", "https://b.example"] } },
    { ...ENVELOPE, type: "KeyLabelChanged", data: { label: "" } },
    plansChanged({}),
    issued({ expiresAt: "2027-01-01T00:00:00.000Z", customer: "acme", metadata: { tier: "" } }),
    rotated({}),
    { ...ENVELOPE, type: "KeyExpiryChanged", data: { expiresAt: null } },
    { ...ENVELOPE, type: "KeyDisabled", data: { reason: "" } },
    { ...ENVELOPE, type: "KeyEnabled", data: {} },
    { ...ENVELOPE, type: "KeyCustomerChanged", data: { customer: null, from: "2026-02" } },
    { ...ENVELOPE, type: "KeyMetadataChanged", data: { metadata: {} } },
    customerAdded({}),
    customerAdded({ monthlyRequests: 0 }),
    { ...ENVELOPE, keyId: "cluster", type: "UpgradeFinished", data: { version: "0.3.0" } },
  ];
  for (const event of good)
    it(`accepts ${event.type} unchanged`, () => expect(parseKeyEvent(structuredClone(event))).to.deep.equal(event));

  const bad: [what: string, value: unknown, named: RegExp][] = [
    ["nothing", null, /not an object/],
    ["a string", "KeyIssued", /not an object/],
    ["a list", [], /: id:/],
    ["an unknown type", revoked({ type: "KeyEaten" }), /type: unknown to this version/],
    ["a type that every object has", revoked({ type: "toString" }), /type: unknown/],
    ["no type", revoked({ type: undefined }), /: type:/],
    ["an empty id", revoked({ id: "" }), /: id:/],
    ["a number for an id", revoked({ id: 1 }), /: id:/],
    ["version 0", revoked({ version: 0 }), /: version:/],
    ["a fractional version", revoked({ version: 1.5 }), /: version:/],
    ["a version as text", revoked({ version: "2" }), /: version:/],
    ["no time", revoked({ at: null }), /: at:/],
    ["no data", revoked({ data: null }), /: data:/],
    ["a list of data", revoked({ data: [] }), /: data:/],
    ["data of another type", revoked({ data: { plan: "x" } }), /data\.reason:/],
    ["an unknown field", revoked({ format: 2 }), /: it has a field/],
    ["an unknown field in the data", revoked({ data: { reason: "", by: "x" } }), /data: it has a field/],
    ["an unknown kind", issued({ kind: "root" }), /data\.kind:/],
    ["origins that are not a list", issued({ origins: "https://example.com" }), /data\.origins:/],
    ["an origin that is not a string", issued({ origins: [1] }), /data\.origins:/],
    ["a short SHA-256", issued({ keySha256: "0f" }), /data\.keySha256:/],
    ["an upper-case SHA-256", issued({ keySha256: "0F".repeat(32) }), /data\.keySha256:/],
    ["a permission that is false", issued({ mayForward: false }), /data\.mayForward:/],
    [
      "plans with a field of a newer version",
      plansChanged({ plans: { free: { ...PLANS.free, x: 1 } } }),
      /data\.plans:/,
    ],
    ["plans with the hash of others", plansChanged({ hash: "0123456789abcdef" }), /data\.hash:/],
    ["plans of a key", plansChanged({}, "key_1"), /keyId:/],
    ["a key that is called plans", revoked({ keyId: "plans" }), /keyId:/],
    ["an expiry that isn't a time", issued({ expiresAt: "soon" }), /data\.expiresAt:/],
    ["metadata with a number", issued({ metadata: { a: 1 } }), /data\.metadata:/],
    ["metadata that is a list", issued({ metadata: ["a"] }), /data\.metadata:/],
    ["a successor without a key", rotated({ successor: { keyId: "key_2" } }), /data\.successor:/],
    ["a successor with more", rotated({ successor: { ...SUCCESSOR, kind: "secret" } }), /data\.successor:/],
    ["no end of a rotated key", rotated({ endsAt: null }), /data\.endsAt:/],
    [
      "a move without a month",
      { ...ENVELOPE, type: "KeyCustomerChanged", data: { customer: "a", from: "2026-2" } },
      /data\.from:/,
    ],
    ["a customer's quota below 0", customerAdded({ monthlyRequests: -1 }), /data\.monthlyRequests:/],
    ["a customer that is a key", customerAdded({}, "key_1"), /keyId:/],
    ["a key that is a customer", revoked({ keyId: "customer_acme" }), /keyId:/],
    ["an upgrade of a key", { ...ENVELOPE, type: "UpgradeFinished", data: { version: "0.3.0" } }, /keyId:/],
    ["no display form", issued({ display: undefined }), /data\.display:/],
  ];
  for (const [what, value, named] of bad)
    it(`refuses ${what}`, () =>
      expect(() => parseKeyEvent(value))
        .to.throw(/^not a key event/)
        .and.match(named));

  it("doesn't show the invalid data", () => {
    const event = revoked({ type: "81.2.69.142", "81.2.69.143": 1 });
    expect(() => parseKeyEvent(event)).to.throw(/^not a key event: [^0-9]*$/);
  });
});
