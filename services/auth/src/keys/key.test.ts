import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import type { Customer } from "./customer.ts";
import type { IssuedKey } from "./issued-key.ts";
import { decide, evolve, type KeyCommand, type KeyFact, type KeyState, NO_KEY, successorOf } from "./key.ts";

const SHA = "0f".repeat(32);
const ISSUE: KeyCommand = {
  type: "IssueKey",
  kind: "secret",
  plan: "free",
  label: "Shop",
  origins: ["https://example.com"],
  keySha256: SHA,
  display: "geo_sk_…abcd",
};
const ISSUED: KeyFact = {
  type: "KeyIssued",
  data: {
    kind: "secret",
    plan: "free",
    label: "Shop",
    origins: ["https://example.com"],
    keySha256: SHA,
    display: "geo_sk_…abcd",
  },
};
const PAID: KeyFact = { type: "KeyPlanChanged", data: { plan: "paid" } };
const REVOKED: KeyFact = { type: "KeyRevoked", data: { reason: "leaked" } };
const AT = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];

const CUSTOMER = { name: "", plan: "paid", version: 1, createdAt: "2026-01-01T00:00:00.000Z" };
const CUSTOMERS: readonly Customer[] = [
  { ...CUSTOMER, id: "acme" },
  { ...CUSTOMER, id: "late", disabledAt: "2026-01-05T00:00:00.000Z", disabledReason: "unpaid" },
];
const withData = (data: object) => ({ ...ISSUED, data: { ...ISSUED.data, ...data } }) as KeyFact;
const SUCCESSOR = { keyId: "key_2", keySha256: "ab".repeat(32), display: "geo_sk_…wxyz" };
const ROTATED: KeyFact = { type: "KeyRotated", data: { successor: SUCCESSOR, endsAt: "2026-02-01T23:00:00.000Z" } };
const DISABLED: KeyFact = { type: "KeyDisabled", data: { reason: "unpaid" } };
const rotate = (overlapSeconds: number) => ({ type: "RotateKey", successor: SUCCESSOR, overlapSeconds }) as const;
const toCustomer = (customer: string | null, from: string): KeyFact => ({
  type: "KeyCustomerChanged",
  data: { customer, from },
});

function stateAfter(facts: readonly KeyFact[]): KeyState {
  let state: KeyState = NO_KEY;
  for (const [i, fact] of facts.entries())
    state = evolve(state, {
      id: `e${i}`,
      keyId: "key_1",
      version: i + 1,
      at: AT[i],
      by: "test",
      ...fact,
    } as KeyChanged);
  return state;
}

const given = (...facts: KeyFact[]) => ({
  when: (command: KeyCommand) => {
    const decision = decide(command, stateAfter(facts), {
      planNames: ["free", "paid"],
      nowMs: Date.parse("2026-01-31T23:00:00Z"),
      customer: (id) => CUSTOMERS.find((customer) => customer.id === id),
    });
    return {
      thenRecorded: (fact: KeyFact | null) => expect(decision).to.deep.equal({ fact }),
      thenRefused: (code: string, message: RegExp) => {
        const refusal = "refusal" in decision ? decision.refusal : undefined;
        expect(refusal).to.include({ code });
        expect(refusal?.message).to.match(message);
      },
    };
  },
});

describe("a key", () => {
  it("is issued", () => given().when(ISSUE).thenRecorded(ISSUED));
  it("can look up visitors if it is secret", () => {
    const fact = { ...ISSUED, data: { ...ISSUED.data, mayForward: true } } as KeyFact;
    given()
      .when({ ...ISSUE, mayForward: true })
      .thenRecorded(fact);
    expect(stateAfter([fact, PAID])).to.include({ mayForward: true, plan: "paid" });
    const publishable = { ...fact, data: { ...fact.data, kind: "publishable" } } as KeyFact;
    expect(stateAfter([publishable])).to.not.have.property("mayForward");
  });
  it("isn't issued as a publishable key that may forward", () =>
    given()
      .when({ ...ISSUE, kind: "publishable", mayForward: true })
      .thenRefused("invalid", /only a secret key can look up visitors/));
  it("isn't issued twice", () =>
    given(ISSUED)
      .when(ISSUE)
      .thenRefused("conflict", /key_1 is already in use/));
  it("isn't issued with an unknown plan", () =>
    given()
      .when({ ...ISSUE, plan: "gold" })
      .thenRefused("invalid", /the plan "gold" doesn't exist; the plans are free, paid/));
  it("isn't issued without a plan", () =>
    given()
      .when({ ...ISSUE, plan: "" })
      .thenRefused("invalid", /the plan is missing; the plans are free, paid/));
  it("is issued with its origins in normal form", () =>
    given()
      .when({ ...ISSUE, origins: [" HTTPS://Example.com:443 ", "https://example.com"] })
      .thenRecorded(ISSUED));
  it("isn't issued with invalid origins, and names all of them", () =>
    given()
      .when({ ...ISSUE, origins: ["example.com", "https://ok.example", "null"] })
      .thenRefused("invalid", /"example.com".*; "null"/));
  it("isn't issued with 101 origins", () =>
    given()
      .when({ ...ISSUE, origins: Array.from({ length: 101 }, (_, i) => `https://a${i}.example`) })
      .thenRefused("invalid", /at most 100 origins, not 101/));
  it("accepts a label of 200 characters, where an emoji counts as one", () => {
    const label = "🌍".repeat(200);
    given()
      .when({ ...ISSUE, label: ` ${label} ` })
      .thenRecorded({ ...ISSUED, data: { ...ISSUED.data, label } } as KeyFact);
  });
  for (const label of ["👩‍🔧 workshop", "فروشگاه‌ها", "חנות"])
    it(`accepts the label ${label}, and keeps one that was accepted under older rules`, () => {
      given()
        .when({ ...ISSUE, label })
        .thenRecorded({ ...ISSUED, data: { ...ISSUED.data, label } } as KeyFact);
      const old = { ...ISSUED, data: { ...ISSUED.data, label: `\u202e${label}` } } as KeyFact;
      expect(stateAfter([old, PAID])).to.include({ label: `\u202e${label}`, plan: "paid" });
    });
  for (const [what, label, message] of [
    ["201 characters", "a".repeat(201), /longer than 200/],
    ["a line break", "a\nb", /control/],
    ["a zero byte", "a\0b", /control/],
    ["an escape sequence", "\u001b[31mred", /control/],
    ["a line separator", "a\u2028b", /control/],
    ["an override of the writing direction", "exe.\u202epohs", /control/],
    ["an isolate of the writing direction", "a\u2066b", /control/],
    ["a space without a width", "a\ufeffb", /control/],
  ] as const) {
    it(`isn't issued with a label of ${what}`, () =>
      given()
        .when({ ...ISSUE, label })
        .thenRefused("invalid", message));
    it(`doesn't change to a label of ${what}`, () =>
      given(ISSUED).when({ type: "ChangeLabel", label }).thenRefused("invalid", message));
    it(`isn't revoked with a reason of ${what}`, () =>
      given(ISSUED).when({ type: "RevokeKey", reason: label }).thenRefused("invalid", message));
  }

  it("changes its plan", () => given(ISSUED).when({ type: "ChangePlan", plan: "paid" }).thenRecorded(PAID));
  it("records nothing if the plan is the same", () =>
    given(ISSUED, PAID).when({ type: "ChangePlan", plan: "paid" }).thenRecorded(null));
  it("doesn't change to an unknown plan", () =>
    given(ISSUED)
      .when({ type: "ChangePlan", plan: "Paid" })
      .thenRefused("invalid", /the plan "Paid" doesn't exist/));
  it("changes its origins", () =>
    given(ISSUED)
      .when({ type: "ChangeOrigins", origins: ["https://*.Example.org"] })
      .thenRecorded({ type: "KeyOriginsChanged", data: { origins: ["https://*.example.org"] } }));
  it("clears its origins", () =>
    given(ISSUED)
      .when({ type: "ChangeOrigins", origins: [] })
      .thenRecorded({ type: "KeyOriginsChanged", data: { origins: [] } }));
  it("records nothing if the origins are the same", () =>
    given(ISSUED)
      .when({ type: "ChangeOrigins", origins: ["https://EXAMPLE.com"] })
      .thenRecorded(null));
  it("doesn't change to invalid origins", () =>
    given(ISSUED)
      .when({ type: "ChangeOrigins", origins: ["https://x/"] })
      .thenRefused("invalid", /path/));
  it("changes its label", () =>
    given(ISSUED)
      .when({ type: "ChangeLabel", label: "" })
      .thenRecorded({ type: "KeyLabelChanged", data: { label: "" } }));
  it("records nothing if the label is the same", () =>
    given(ISSUED).when({ type: "ChangeLabel", label: "Shop" }).thenRecorded(null));

  it("is revoked", () => given(ISSUED).when({ type: "RevokeKey", reason: "leaked" }).thenRecorded(REVOKED));
  it("is revoked once, and keeps the first reason", () =>
    given(ISSUED, REVOKED).when({ type: "RevokeKey", reason: "again" }).thenRecorded(null));
  for (const command of [
    { type: "ChangePlan", plan: "paid" },
    { type: "ChangePlan", plan: "free" },
    { type: "ChangeOrigins", origins: [] },
    { type: "ChangeLabel", label: "x" },
    rotate(0),
    { type: "ChangeExpiry", expiresAt: "" },
    { type: "DisableKey", reason: "" },
    { type: "EnableKey" },
    { type: "ChangeCustomer", customer: "" },
    { type: "ChangeMetadata", metadata: {} },
  ] as const)
    it(`cannot ${command.type} once revoked`, () =>
      given(ISSUED, REVOKED)
        .when(command)
        .thenRefused("precondition", /key_1 is revoked/));
  for (const command of [
    { type: "ChangePlan", plan: "paid" },
    { type: "ChangeOrigins", origins: [] },
    { type: "ChangeLabel", label: "x" },
    { type: "RevokeKey", reason: "" },
  ] as const)
    it(`cannot ${command.type} before it is issued`, () =>
      given()
        .when(command)
        .thenRefused("not_found", /doesn't exist/));

  it("is issued with an expiry, a customer and metadata", () =>
    given()
      .when({ ...ISSUE, expiresAt: "2027-01-01", customer: "acme", metadata: { z: "1", a: "ü b" } })
      .thenRecorded(
        withData({ expiresAt: "2027-01-01T00:00:00.000Z", customer: "acme", metadata: { a: "ü b", z: "1" } }),
      ));
  it("is issued with the customer's plan unless it has one", () =>
    given()
      .when({ ...ISSUE, plan: "", customer: "acme" })
      .thenRecorded(withData({ plan: "paid", customer: "acme" })));
  it("isn't issued for an unknown customer", () =>
    given()
      .when({ ...ISSUE, customer: "acne" })
      .thenRefused("invalid", /the customer "acne" doesn't exist.*customers add/));

  it("changes its expiry, in the form that sorts by time", () =>
    given(ISSUED)
      .when({ type: "ChangeExpiry", expiresAt: "2026-02-01T01:00:00+01:00" })
      .thenRecorded({ type: "KeyExpiryChanged", data: { expiresAt: "2026-02-01T00:00:00.000Z" } }));
  it("never expires once its expiry is removed", () =>
    given(withData({ expiresAt: "2027-01-01T00:00:00Z" }))
      .when({ type: "ChangeExpiry", expiresAt: "" })
      .thenRecorded({ type: "KeyExpiryChanged", data: { expiresAt: null } }));
  it("records nothing if the expiry is the same", () =>
    given(withData({ expiresAt: "2027-01-01T00:00:00Z" }))
      .when({ type: "ChangeExpiry", expiresAt: "2027-01-01" })
      .thenRecorded(null));
  it("can be revived by a later expiry", () =>
    given(withData({ expiresAt: "2026-01-02T00:00:00Z" }))
      .when({ type: "ChangeExpiry", expiresAt: "2027-01-01" })
      .thenRecorded({ type: "KeyExpiryChanged", data: { expiresAt: "2027-01-01T00:00:00.000Z" } }));
  for (const expiresAt of [
    "2026-01-31T23:00:00Z",
    "2020-01-01",
    "2027-02-30",
    "tomorrow",
    "1893456000",
    "+012027-01-01",
    "9999-12-31T23:59:59-00:01",
  ])
    it(`doesn't expire at ${expiresAt}`, () =>
      given(ISSUED)
        .when({ type: "ChangeExpiry", expiresAt })
        .thenRefused("invalid", /the expiry/));

  it("is disabled and enabled", () => {
    given(ISSUED).when({ type: "DisableKey", reason: " unpaid " }).thenRecorded(DISABLED);
    given(ISSUED, DISABLED).when({ type: "EnableKey" }).thenRecorded({ type: "KeyEnabled", data: {} });
    expect(stateAfter([ISSUED, DISABLED])).to.include({ disabledAt: AT[1], disabledReason: "unpaid" });
    expect(stateAfter([ISSUED, DISABLED, { type: "KeyEnabled", data: {} }])).to.deep.equal({
      ...stateAfter([ISSUED]),
      version: 3,
    });
  });
  it("is disabled once, and keeps the first reason", () =>
    given(ISSUED, DISABLED).when({ type: "DisableKey", reason: "again" }).thenRecorded(null));
  it("isn't enabled while only its customer is disabled, and says so", () => {
    given(withData({ customer: "late" }))
      .when({ type: "EnableKey" })
      .thenRefused("precondition", /customer late is/);
    given(withData({ customer: "acme" }))
      .when({ type: "EnableKey" })
      .thenRecorded(null);
  });

  it("is rotated: its successor works at once, and itself until the overlap ends", () => {
    given(ISSUED).when(rotate(86_400)).thenRecorded(ROTATED);
    given(ISSUED)
      .when(rotate(0))
      .thenRecorded({ ...ROTATED, data: { successor: SUCCESSOR, endsAt: "2026-01-31T23:00:00.000Z" } } as KeyFact);
    expect(stateAfter([ISSUED, ROTATED])).to.include({ rotatedTo: "key_2", endsAt: "2026-02-01T23:00:00.000Z" });
  });
  it("is rotated only once", () =>
    given(ISSUED, ROTATED)
      .when(rotate(0))
      .thenRefused("precondition", /was rotated already; its successor is key_2/));
  for (const [what, state, message] of [
    ["it has expired", withData({ expiresAt: "2026-01-31T22:00:00Z" }), /has expired/],
    ["its customer is disabled", withData({ customer: "late" }), /is disabled/],
  ] as const)
    it(`isn't rotated if ${what}`, () => given(state).when(rotate(0)).thenRefused("precondition", message));
  it("isn't rotated while it is disabled", () =>
    given(ISSUED, DISABLED)
      .when(rotate(0))
      .thenRefused("precondition", /is disabled/));
  for (const overlap of [-1, 0.5, 366 * 86_400 + 1, Number.NaN])
    it(`isn't rotated with an overlap of ${overlap} seconds`, () =>
      given(ISSUED)
        .when(rotate(overlap))
        .thenRefused("invalid", /overlap/));
  it("is like its predecessor in everything but the key, and counts toward the first key's quota", () => {
    const full = withData({
      ...{ mayForward: true, expiresAt: "2027-01-01T00:00:00Z", customer: "acme", metadata: { a: "b" } },
    });
    const rotated = { id: "e", keyId: "key_1", version: 3, at: "2026-01-09T00:00:00.000Z", by: "test", ...ROTATED };
    const first = stateAfter([full, PAID]) as IssuedKey;
    const second = successorOf(first, rotated as never);
    expect(second).to.deep.equal({
      status: "active",
      keyId: "key_2",
      kind: "secret",
      plan: "paid",
      label: "Shop",
      origins: ["https://example.com"],
      display: "geo_sk_…wxyz",
      mayForward: true,
      version: 1,
      createdAt: "2026-01-09T00:00:00.000Z",
      expiresAt: "2027-01-01T00:00:00.000Z",
      rotatedFrom: "key_1",
      rotationRoot: "key_1",
      customer: "acme",
      metadata: { a: "b" },
    });
    expect(successorOf(second, { ...rotated, keyId: "key_2" } as never)).to.include({ rotationRoot: "key_1" });
  });

  it("moves to a customer, whose quota counts from the next month on", () => {
    given(ISSUED).when({ type: "ChangeCustomer", customer: "acme" }).thenRecorded(toCustomer("acme", "2026-02"));
    given(ISSUED)
      .when({ type: "ChangeCustomer", customer: "nobody" })
      .thenRefused("invalid", /"nobody" doesn't exist/);
    given(withData({ customer: "acme" }))
      .when({ type: "ChangeCustomer", customer: "acme" })
      .thenRecorded(null);
    given(withData({ customer: "acme" }))
      .when({ type: "ChangeCustomer", customer: "" })
      .thenRecorded(toCustomer(null, "2026-02"));
  });
  const moves: [what: string, facts: KeyFact[], customer: string | undefined, before: IssuedKey["quotaBefore"]][] = [
    ["to a customer", [toCustomer("a", "2026-02")], "a", { customer: null, until: "2026-02" }],
    [
      "twice in a month",
      [toCustomer("a", "2026-02"), toCustomer("b", "2026-02")],
      ...["b", { customer: null, until: "2026-02" }],
    ] as never,
    ["back in the same month", [toCustomer("a", "2026-02"), toCustomer(null, "2026-02")], undefined, undefined],
    [
      "in two months",
      [toCustomer("a", "2026-02"), toCustomer("b", "2026-03")],
      ...["b", { customer: "a", until: "2026-03" }],
    ] as never,
  ];
  for (const [what, facts, customer, quotaBefore] of moves)
    it(`keeps the quota of the month when it moves ${what}`, () => {
      const state = stateAfter([ISSUED, ...facts]) as IssuedKey;
      expect([state.customer, state.quotaBefore]).to.deep.equal([customer, quotaBefore]);
    });

  it("changes its metadata", () => {
    const change = (metadata: Record<string, string>) => given(ISSUED).when({ type: "ChangeMetadata", metadata });
    change({ b: "2", a: "" }).thenRecorded({ type: "KeyMetadataChanged", data: { metadata: { a: "", b: "2" } } });
    change({}).thenRecorded(null);
    given(withData({ metadata: { a: "1", b: "2" } }))
      .when({ type: "ChangeMetadata", metadata: { b: "2", a: "1" } })
      .thenRecorded(null);
    change(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`n${i}`, ""]))).thenRefused(
      "invalid",
      /at most 20/,
    );
    change({ "": "x" }).thenRefused("invalid", /metadata name/);
    change({ "a b": "x" }).thenRefused("invalid", /metadata name/);
    change({ ["a".repeat(65)]: "x" }).thenRefused("invalid", /metadata name/);
    change({ a: "x".repeat(257) }).thenRefused("invalid", /longer than 256/);
    change({ a: "x\ny" }).thenRefused("invalid", /one line/);
  });

  it("evolves from its events", () => {
    expect(stateAfter([ISSUED, PAID, REVOKED])).to.deep.equal({
      status: "revoked",
      keyId: "key_1",
      kind: "secret",
      plan: "paid",
      label: "Shop",
      origins: ["https://example.com"],
      display: "geo_sk_…abcd",
      version: 3,
      createdAt: AT[0],
      revokedAt: AT[2],
      revokedReason: "leaked",
    });
  });

  it("can't evolve from impossible events", () => {
    expect(() => stateAfter([ISSUED, ISSUED])).to.throw("issued twice");
    expect(() => stateAfter([PAID])).to.throw("wasn't issued");
  });
});
