import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import type { OperatorEvent } from "@geolookup/shared/logs/operators/operator-log.ts";
import { expect } from "chai";
import { entryOf } from "./entry.ts";

const envelope = { at: "2026-01-02T03:04:05.678Z", by: "alice" };
type Data = { type: string; data: object };

/** Events of one key, customer or other subject, from their types and data. */
function keyEvents(keyId: string, ...facts: Data[]): KeyEvent[] {
  return facts.map((fact, index) => ({ id: `e${index}`, keyId, version: index + 1, ...envelope, ...fact }) as KeyEvent);
}
function operatorEvents(...facts: Data[]): OperatorEvent[] {
  return facts.map(
    (fact, index) => ({ id: `e${index}`, operator: "bob", version: index + 1, ...envelope, ...fact }) as OperatorEvent,
  );
}

const hash = "ab".repeat(32);
const issued = {
  type: "KeyIssued",
  data: { kind: "secret", plan: "free", label: "Shop", origins: [], keySha256: hash, display: "geo_sk_…abcd" },
};
const plans = (entries: object) => ({ type: "PlansChanged", data: { plans: entries, hash: "h" } });
const added = { type: "CustomerAdded", data: { name: "Acme", plan: "paid", monthlyRequests: 5 } };
const addedOperator = { type: "OperatorAdded", data: { role: "viewer", tokenSha256: hash } };

describe("the audit entry of an event", () => {
  const cases: [what: string, events: (KeyEvent | OperatorEvent)[], expected: object][] = [
    [
      "a new key, without its hash",
      keyEvents("key_1", issued),
      {
        action: "KeyIssued",
        subject: "key_1",
        after: { status: "active", kind: "secret", plan: "free", label: "Shop", origins: [], display: "geo_sk_…abcd" },
      },
    ],
    [
      "a changed plan: what it was after an earlier change",
      keyEvents(
        "key_1",
        issued,
        { type: "KeyPlanChanged", data: { plan: "paid" } },
        { type: "KeyPlanChanged", data: { plan: "free" } },
      ),
      { action: "KeyPlanChanged", subject: "key_1", before: { plan: "paid" }, after: { plan: "free" } },
    ],
    [
      "a first expiry",
      keyEvents("key_1", issued, { type: "KeyExpiryChanged", data: { expiresAt: "2027-01-01T00:00:00Z" } }),
      { action: "KeyExpiryChanged", subject: "key_1", after: { expiresAt: "2027-01-01T00:00:00Z" } },
    ],
    [
      "a revocation",
      keyEvents("key_1", issued, { type: "KeyRevoked", data: { reason: "leaked" } }),
      {
        action: "KeyRevoked",
        subject: "key_1",
        before: { status: "active" },
        after: { status: "revoked", revokedReason: "leaked" },
      },
    ],
    [
      "a rotation, without the successor's hash",
      keyEvents("key_1", issued, {
        type: "KeyRotated",
        data: {
          successor: { keyId: "key_2", keySha256: hash, display: "geo_sk_…wxyz" },
          endsAt: "2026-02-01T00:00:00Z",
        },
      }),
      { action: "KeyRotated", subject: "key_1", after: { rotatedTo: "key_2", endsAt: "2026-02-01T00:00:00Z" } },
    ],
    [
      "a renamed customer: only the name",
      keyEvents("customer_acme", added, { type: "CustomerChanged", data: { ...added.data, name: "Acme Inc." } }),
      { action: "CustomerChanged", subject: "acme", before: { name: "Acme" }, after: { name: "Acme Inc." } },
    ],
    [
      "a customer without a quota of its own any longer",
      keyEvents("customer_acme", added, { type: "CustomerChanged", data: { name: "Acme", plan: "paid" } }),
      {
        action: "CustomerChanged",
        subject: "acme",
        before: { monthlyRequests: 5 },
        after: { monthlyRequests: null },
      },
    ],
    [
      "changed plans: those that differ, and removed ones",
      keyEvents("plans", plans({ a: 1, old: 0 }), plans({ a: 1, b: 2, c: 3 }), plans({ a: 1, b: 4, d: 5 })),
      { action: "PlansChanged", subject: "plans", before: { b: 2, c: 3 }, after: { b: 4, c: null, d: 5 } },
    ],
    [
      "a new operator, without the token's hash",
      operatorEvents(addedOperator),
      { action: "OperatorAdded", subject: "bob", after: { status: "active", role: "viewer" } },
    ],
    [
      "an operator's new role",
      operatorEvents(addedOperator, { type: "OperatorRoleChanged", data: { role: "admin" } }),
      { action: "OperatorRoleChanged", subject: "bob", before: { role: "viewer" }, after: { role: "admin" } },
    ],
    [
      "a replaced token, which shows nothing",
      operatorEvents(addedOperator, { type: "OperatorTokenReplaced", data: { tokenSha256: hash } }),
      { action: "OperatorTokenReplaced", subject: "bob" },
    ],
    [
      "a removed operator",
      operatorEvents(addedOperator, { type: "OperatorRemoved", data: {} }),
      { action: "OperatorRemoved", subject: "bob", before: { status: "active" }, after: { status: "removed" } },
    ],
  ];
  for (const [what, events, expected] of cases)
    it(`has ${what}`, () => {
      const last = events.at(-1);
      if (!last) throw new Error("no event");
      expect(entryOf(last, events.slice(0, -1))).to.deep.equal({ id: last.id, ...envelope, ...expected });
    });
});
