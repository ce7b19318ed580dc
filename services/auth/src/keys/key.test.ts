import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { decide, evolve, type KeyCommand, type KeyFact, type KeyState, NO_KEY } from "./key.ts";

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
    const decision = decide(command, stateAfter(facts), { planNames: ["free", "paid"] });
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
