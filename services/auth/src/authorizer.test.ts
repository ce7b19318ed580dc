import { randomBytes } from "node:crypto";
import type { Authorization, KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import { displayKey } from "@geolookup/shared/domain/key-shape.ts";
import { expect } from "chai";
import { createAuthorizer, keyDigest } from "./authorizer.ts";
import type { IssuedKey } from "./keys/key.ts";
import type { KeysToAuthorize } from "./keys/key-tables.ts";
import { mintKey } from "./signing/signature.ts";

const ACTIVE = { id: "bbbb", secret: Buffer.alloc(32, 2) };
const OLD = { id: "aaaa", secret: Buffer.alloc(32, 1) };
const FORGOTTEN = { id: "cccc", secret: Buffer.alloc(32, 3) };
const FORGED = { id: "bbbb", secret: Buffer.alloc(32, 4) };

const keys = new Map<string, IssuedKey>();
const rows: IssuedKey[] = [];
const marks = new Map<number, number>();
/** The rows whose marks were set. */
const marksSet: number[] = [];
const registry = {
  keysToAuthorize: (): KeysToAuthorize => ({
    rowOfDigest: (digest) => {
      const row = rows.indexOf(keys.get(digest) as IssuedKey);
      return row < 0 ? undefined : row;
    },
    authorizationData: (row) => rows[row] as IssuedKey,
    marks: {
      get: (row) => marks.get(row) ?? 0,
      set: (row, mark) => {
        marks.set(row, mark);
        marksSet.push(row);
      },
    },
  }),
};
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
  keys.set(keyDigest(key), stored);
  rows.push(stored);
  return key;
}
const LIMITS = { perCallerHourly: 100, rate: { perSecond: 10, burst: 20 } };
const authorizer = createAuthorizer({
  registry,
  ring: () => ({
    active: ACTIVE,
    byId: new Map([
      ["aaaa", OLD],
      ["bbbb", ACTIVE],
    ]),
  }),
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
        keyId: keys.get(keyDigest(key))?.keyId,
        kind: "publishable",
        plan: "paid",
        fields: "paid",
        monthlyRequests: 1_000,
        origins: ["https://example.com"],
        display: `geo_pk_…${key.slice(-4)}`,
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

  it("refuses a verified key once its signing key has another secret", () => {
    let signingKey = ACTIVE;
    const key = issued();
    const changing = createAuthorizer({
      registry,
      ring: () => ({ active: signingKey, byId: new Map([[signingKey.id, signingKey]]) }),
      plans: () => new Map([["free", { fields: "free", monthlyRequests: 10 }]]),
    });
    const outcome = () => changing.authorize({ key, origin: null, referer: null }).outcome;
    expect(outcome()).to.equal("granted");
    signingKey = FORGED;
    expect(outcome()).to.equal("bad_signature");
  });

  it("detects a bad signature of a key that it doesn't know", () => {
    for (const signingKey of [FORGED, FORGOTTEN])
      expect(authorize(mintKey("secret", signingKey, randomBytes)).outcome).to.equal("bad_signature");
  });

  it("checks a key's signature once", () => {
    const key = issued();
    const before = marksSet.length;
    for (const _ of [1, 2, 3]) expect(authorize(key).outcome).to.equal("granted");
    expect(marksSet.slice(before)).to.deep.equal([rows.length - 1]);
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
