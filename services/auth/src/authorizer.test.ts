import { randomBytes } from "node:crypto";
import type { Authorization, KeyCheck, KeyEnd } from "@geolookup/shared/domain/authorize.ts";
import { displayKey } from "@geolookup/shared/domain/key-shape.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { createAuthorizer, type MemoryAuthorizer, sha256Of } from "./authorizer.ts";
import type { Customer } from "./keys/customer.ts";
import type { IssuedKey } from "./keys/issued-key.ts";
import { mintKey } from "./signing/signature.ts";
import type { SigningRing } from "./signing/signing-ring.ts";

const ACTIVE = { id: "bbbb", secret: Buffer.alloc(32, 2) };
const OLD = { id: "aaaa", secret: Buffer.alloc(32, 1) };
const FORGOTTEN = { id: "cccc", secret: Buffer.alloc(32, 3) };
const FORGED = { id: "bbbb", secret: Buffer.alloc(32, 4) };

const keys = new Map<string, IssuedKey>();
const customers = new Map<string, Customer>();
let customerChanges = 0;
const registry = {
  bySha256: (keySha256: string) => keys.get(keySha256),
  customer: (id: string) => customers.get(id),
  customerChanges: () => customerChanges,
};
const NOW = "2026-01-10T00:00:00.000Z";
let clockMs = Date.parse(NOW);
const clock = () => clockMs;
/** Issues a key the way the log would have it. */
function issued(change: Partial<IssuedKey> = {}, signingKey = ACTIVE): string {
  const key = mintKey(change.kind ?? "secret", signingKey, randomBytes);
  const stored: IssuedKey = {
    status: "active",
    keyId: `key_${keys.size}`,
    kind: "secret",
    plan: "free",
    label: "",
    origins: [],
    display: displayKey(key),
    version: 1,
    createdAt: "2026-01-02T03:04:05.000Z",
    ...change,
  };
  keys.set(sha256Of(key), stored);
  return key;
}
const CUSTOMER: Customer = { id: "acme", name: "", plan: "free", version: 1, createdAt: "2026-01-01T00:00:00.000Z" };
/** A ring of these signing keys. */
function ringOf(...signingKeys: (typeof ACTIVE)[]): SigningRing {
  return { active: ACTIVE, byId: new Map(signingKeys.map((signingKey) => [signingKey.id, signingKey])) };
}
const LIMITS = { perCallerHourly: 100, rate: { perSecond: 10, burst: 20 } };
const authorizer = createAuthorizer({
  registry,
  clock,
  ring: () => ringOf(OLD, ACTIVE),
  plans: () =>
    new Map([
      ["free", { fields: "free", monthlyRequests: 10 }],
      ["paid", { fields: "paid", monthlyRequests: 1_000 }],
      ["limited", { fields: "free", monthlyRequests: 10, limits: LIMITS }],
    ]),
});
const authorize = (key: string, headers: Partial<KeyCheck> = {}): Authorization =>
  authorizer.authorize({ key, origin: null, referer: null, ...headers });

describe("createAuthorizer", () => {
  it("grants the fields and quota of the key's plan", () => {
    const key = issued({ plan: "paid", kind: "publishable", origins: ["https://example.com"] });
    expect(authorize(key, { origin: "https://example.com" })).to.deep.equal({
      outcome: "granted",
      grant: {
        keyId: keys.get(sha256Of(key))?.keyId,
        kind: "publishable",
        plan: "paid",
        fields: "paid",
        monthlyRequests: 1_000,
        origins: ["https://example.com"],
        display: `geo_pk_…${key.slice(-4)}`,
        counts: undefined,
      },
    });
  });

  it("grants the limits of the key's plan, if it has any", () => {
    const limitsOf = (plan: string) => {
      const authorization = authorize(issued({ plan }));
      return authorization.outcome === "granted" && authorization.grant.limits;
    };
    expect(limitsOf("limited")).to.deep.equal(LIMITS);
    expect(limitsOf("free")).to.equal(undefined);
  });

  // One row for each rung; each row's key also has every fault of the rungs below it.
  const revokedAndElsewhere = { status: "revoked", origins: ["https://example.com"] } as const;
  const ladder: [what: string, key: string, outcome: string][] = [
    ["no shape", issued(revokedAndElsewhere, FORGED).slice(1), "malformed_key"],
    ["a MAC by another secret", issued(revokedAndElsewhere, FORGED), "bad_signature"],
    ["a signing key that was dropped from the ring", issued(revokedAndElsewhere, FORGOTTEN), "bad_signature"],
    ["a good MAC and no record", mintKey("secret", ACTIVE, randomBytes), "unknown_key"],
    ["a revoked record", issued(revokedAndElsewhere), "revoked_key"],
    ["a revoked record, signed by an old key", issued(revokedAndElsewhere, OLD), "revoked_key"],
    ["a refused origin", issued({ origins: ["https://example.com"] }), "origin_not_allowed"],
    ["an old signing key", issued({}, OLD), "granted"],
  ];
  for (const [what, key, outcome] of ladder)
    it(`returns ${outcome} for ${what}`, () =>
      expect(authorize(key, { origin: "https://evil.example" }).outcome).to.equal(outcome));

  const PAST = "2026-01-09T00:00:00.000Z";
  const ends: [what: string, key: Partial<IssuedKey>, authorization: { outcome: string; end?: KeyEnd }][] = [
    ["expired", { expiresAt: NOW }, { outcome: "unknown_key", end: { how: "expired", at: NOW } }],
    ["was disabled", { disabledAt: PAST }, { outcome: "unknown_key", end: { how: "disabled", at: PAST } }],
    ["was rotated out", { endsAt: PAST }, { outcome: "unknown_key", end: { how: "rotated", at: PAST } }],
    [
      "belongs to a disabled customer",
      { customer: "late" },
      { outcome: "unknown_key", end: { how: "disabled", at: PAST } },
    ],
    ["was revoked, too", { status: "revoked", disabledAt: PAST }, { outcome: "revoked_key" }],
  ];
  for (const [what, change, authorization] of ends)
    it(`has no active record for a key that ${what}, and checks its signature first`, () => {
      customers.set("late", { ...CUSTOMER, id: "late", disabledAt: PAST, disabledReason: "" });
      const authorized = authorize(issued({ ...change, origins: ["https://x.example"] }));
      expect(authorized).to.deep.include(authorization);
      const { end } = authorization;
      const ended = end && { atMs: Date.parse(end.at), how: end.how };
      expect("grant" in authorized ? authorized.grant?.ends : undefined).to.deep.equal(ended);
      expect(authorize(issued(change, FORGED))).to.deep.equal({ outcome: "bad_signature" });
    });

  it("grants until the key ends, by the quota of its customer or of the first key of its rotations", () => {
    customers.set("acme", { ...CUSTOMER, plan: "paid" });
    const grantOf = (change: Partial<IssuedKey>) => {
      const authorization = authorize(issued({ keyId: "key_x", ...change }));
      return authorization.outcome === "granted" ? authorization.grant : undefined;
    };
    const expiresAt = "2026-01-10T00:00:00.001Z";
    const own = { keyId: "key_x", plan: "free", monthlyRequests: 10 };
    expect(grantOf({ expiresAt })).to.deep.include({ ...own, ends: { atMs: Date.parse(expiresAt), how: "expired" } });
    expect(grantOf({ endsAt: expiresAt, rotatedTo: "key_y" }))
      .to.deep.include({ ...own, ends: { atMs: Date.parse(expiresAt), how: "rotated" } })
      .and.not.have.property("quota");
    expect(grantOf({ rotationRoot: "key_w" })).to.deep.include({ ...own, quota: { id: "key_w", monthlyRequests: 10 } });
    const acmes = { id: "customer_acme", monthlyRequests: 1_000 };
    expect(grantOf({ customer: "acme" })).to.deep.include({ ...own, customer: "acme", quota: acmes });
    const joining = grantOf({ customer: "acme", quotaBefore: { customer: null, until: "2026-02" } });
    expect(joining).to.deep.include({ ...own, customer: "acme", nextQuota: { ...acmes, from: "2026-02" } });
    expect(joining).to.not.have.property("quota");
  });

  it("detects a bad signature of a key that it doesn't know", () => {
    for (const signingKey of [FORGED, FORGOTTEN])
      expect(authorize(mintKey("secret", signingKey, randomBytes)).outcome).to.equal("bad_signature");
  });

  describe("that keeps grants", () => {
    let current: { ring: SigningRing; plans: Plans };
    let keeping: MemoryAuthorizer;
    const decide = (key: string, headers: Partial<KeyCheck> = {}) =>
      keeping.authorize({ key, origin: null, referer: null, ...headers });
    const grantOf = (key: string) => {
      const authorization = decide(key);
      return authorization.outcome === "granted" ? authorization.grant : undefined;
    };
    beforeEach(() => {
      clockMs = Date.parse(NOW);
      current = { ring: ringOf(ACTIVE), plans: new Map([["free", { fields: "free", monthlyRequests: 10 }]]) };
      keeping = createAuthorizer({
        registry,
        clock,
        ring: () => current.ring,
        plans: () => current.plans,
        keepsGrants: true,
      });
    });

    it("returns the same grant for each request, and checks each request's origin", () => {
      const key = issued({ kind: "publishable", origins: ["https://example.com"] });
      const origins = ["https://example.com", "https://evil.example", "https://example.com"];
      const authorizations = origins.map((origin) => decide(key, { origin }));
      expect(authorizations.map(({ outcome }) => outcome)).to.deep.equal(["granted", "origin_not_allowed", "granted"]);
      const [first, ...others] = authorizations.map((each) => ("grant" in each ? each.grant : undefined));
      expect(others).to.deep.equal([first, first]);
      for (const other of others) expect(other).to.equal(first);
      expect(first).to.include({ keyId: `key_${keys.size - 1}`, plan: "free" });
    });

    it("makes another when the key changes", () => {
      const key = issued();
      const before = keys.get(sha256Of(key)) as IssuedKey;
      expect(grantOf(key)).to.include({ origins: before.origins });
      keys.set(sha256Of(key), { ...before, origins: ["https://example.com"] });
      expect(grantOf(key)).to.have.property("origins").that.deep.equals(["https://example.com"]);
      keys.set(sha256Of(key), { ...before, status: "revoked" });
      expect(decide(key)).to.deep.equal({ outcome: "revoked_key", keyId: before.keyId });
    });

    it("ends with the key, and begins again if the key does", () => {
      const expiresAt = "2026-01-10T00:00:01.000Z";
      const key = issued({ expiresAt });
      expect(decide(key).outcome).to.equal("granted");
      clockMs = Date.parse(expiresAt) - 1;
      expect(decide(key).outcome).to.equal("granted");
      clockMs += 1;
      expect(decide(key)).to.deep.include({ outcome: "unknown_key", end: { how: "expired", at: expiresAt } });
      keys.set(sha256Of(key), { ...(keys.get(sha256Of(key)) as IssuedKey), expiresAt: "2026-02-01T00:00:00.000Z" });
      expect(decide(key).outcome).to.equal("granted");
    });

    it("has the current quota of the key's customer, and ends while the customer is disabled", () => {
      const acme = { ...CUSTOMER, monthlyRequests: 5 };
      customers.set("acme", acme);
      const key = issued({ customer: "acme" });
      expect(grantOf(key)).to.have.deep.property("quota", { id: "customer_acme", monthlyRequests: 5 });
      customers.set("acme", { ...acme, monthlyRequests: 6 });
      customerChanges += 1;
      expect(grantOf(key)).to.have.deep.property("quota", { id: "customer_acme", monthlyRequests: 6 });
      customers.set("acme", { ...acme, disabledAt: NOW });
      customerChanges += 1;
      expect(decide(key)).to.deep.include({ outcome: "unknown_key", end: { how: "disabled", at: NOW } });
    });

    it("grants what the current plans include", () => {
      const key = issued();
      expect(grantOf(key)).to.include({ monthlyRequests: 10 });
      current.plans = new Map([["free", { fields: "free", monthlyRequests: 20 }]]);
      expect(grantOf(key)).to.include({ monthlyRequests: 20 });
    });

    it("refuses a key whose signing key was replaced or removed", () => {
      const key = issued();
      for (const signingKeys of [[FORGED], [], [OLD]]) {
        current.ring = ringOf(ACTIVE);
        expect(decide(key).outcome).to.equal("granted");
        current.ring = ringOf(...signingKeys);
        expect(decide(key).outcome).to.equal("bad_signature");
      }
    });
  });

  it("keeps no grants by default", () => {
    const check = { key: issued(), origin: null, referer: null };
    const [first, second] = [authorizer.authorize(check), authorizer.authorize(check)];
    expect(second).to.deep.equal(first);
    expect("grant" in second && second.grant).not.to.equal("grant" in first && first.grant);
  });

  it("returns the refused origin as received, and the grant", () => {
    const key = issued({ origins: ["https://example.com"], kind: "publishable" });
    const authorization = authorize(key, { origin: "HTTPS://evil.example/x" });
    expect(authorization).to.include({ outcome: "origin_not_allowed", refusedOrigin: "HTTPS://evil.example/x" });
    expect(authorization).to.have.nested.property("grant.display", `geo_pk_…${key.slice(-4)}`);
    expect(authorize(key)).to.include({ outcome: "origin_not_allowed", refusedOrigin: null });
    expect(authorize(key, { referer: "https://example.com/page" })).to.include({ outcome: "granted" });
  });

  it("throws for a key whose plan doesn't exist, and names both", () => {
    expect(() => authorize(issued({ keyId: "key_x", plan: "gone" }))).to.throw(/key_x .*gone/);
  });
});
