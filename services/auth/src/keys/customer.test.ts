import type { CustomerChanged } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { type Customer, type CustomerCommand, type CustomerFact, decideCustomer, evolveCustomer } from "./customer.ts";

const ADD: CustomerCommand = { type: "AddCustomer", id: "acme", name: " Acme ", plan: "free" };
const ADDED: CustomerFact = { type: "CustomerAdded", data: { name: "Acme", plan: "free" } };
const DISABLED: CustomerFact = { type: "CustomerDisabled", data: { reason: "unpaid" } };
const changed = (data: { name: string; plan: string; monthlyRequests?: number }): CustomerFact => ({
  type: "CustomerChanged",
  data,
});

function stateAfter(facts: readonly CustomerFact[]): Customer | undefined {
  let state: Customer | undefined;
  for (const [i, fact] of facts.entries()) {
    const envelope = { id: `e${i}`, keyId: "customer_acme", version: i + 1, at: `2026-01-0${i + 1}T00:00:00.000Z` };
    state = evolveCustomer("acme", state, { ...envelope, by: "test", ...fact } as CustomerChanged);
  }
  return state;
}

describe("a customer", () => {
  const recorded: [what: string, before: CustomerFact[], command: CustomerCommand, fact: CustomerFact | null][] = [
    ["is added", [], ADD, ADDED],
    [
      "is added with a quota of its own",
      [],
      { ...ADD, monthlyRequests: 0 },
      { ...ADDED, data: { name: "Acme", plan: "free", monthlyRequests: 0 } } as CustomerFact,
    ],
    ["is renamed", [ADDED], { type: "ChangeCustomer", name: "Ex" }, changed({ name: "Ex", plan: "free" })],
    ["changes its plan", [ADDED], { type: "ChangeCustomer", plan: "paid" }, changed({ name: "Acme", plan: "paid" })],
    [
      "gets a quota of its own",
      [ADDED],
      { type: "ChangeCustomer", monthlyRequests: 7 },
      changed({ name: "Acme", plan: "free", monthlyRequests: 7 }),
    ],
    [
      "keeps its quota when it is renamed",
      [ADDED, changed({ name: "Acme", plan: "free", monthlyRequests: 7 })],
      { type: "ChangeCustomer", name: "Ex" },
      changed({ name: "Ex", plan: "free", monthlyRequests: 7 }),
    ],
    [
      "gets its plan's quota",
      [ADDED, changed({ name: "Acme", plan: "free", monthlyRequests: 7 })],
      { type: "ChangeCustomer", monthlyRequests: null },
      changed({ name: "Acme", plan: "free" }),
    ],
    [
      "is renamed although its plan is gone",
      [{ type: "CustomerAdded", data: { name: "Acme", plan: "gone" } }],
      { type: "ChangeCustomer", name: "Ex" },
      changed({ name: "Ex", plan: "gone" }),
    ],
    ["stays as it is", [ADDED], { type: "ChangeCustomer", name: "Acme", plan: "free", monthlyRequests: null }, null],
    ["is disabled", [ADDED], { type: "DisableCustomer", reason: "unpaid" }, DISABLED],
    ["is disabled once", [ADDED, DISABLED], { type: "DisableCustomer", reason: "again" }, null],
    ["is enabled", [ADDED, DISABLED], { type: "EnableCustomer" }, { type: "CustomerEnabled", data: {} }],
    ["is enabled once", [ADDED], { type: "EnableCustomer" }, null],
  ];
  for (const [what, before, command, fact] of recorded)
    it(what, () =>
      expect(decideCustomer(command, stateAfter(before), { planNames: ["free", "paid"] })).to.deep.equal({ fact }),
    );

  const refused: [what: string, before: CustomerFact[], command: CustomerCommand, code: string, text: RegExp][] = [
    ["added twice", [ADDED], ADD, "precondition", /acme exists already/],
    ["added without a plan", [], { ...ADD, plan: "" }, "invalid", /the plan is missing/],
    ["added with a quota below 0", [], { ...ADD, monthlyRequests: -1 }, "invalid", /whole number/],
    ["named in two lines", [], { ...ADD, name: "a\nb" }, "invalid", /one line/],
    [
      "changed to an unknown plan",
      [ADDED],
      { type: "ChangeCustomer", plan: "gold" },
      "invalid",
      /"gold" doesn't exist/,
    ],
    ["changed before it is added", [], { type: "ChangeCustomer", name: "" }, "not_found", /doesn't exist/],
    ["disabled before it is added", [], { type: "DisableCustomer", reason: "" }, "not_found", /doesn't exist/],
  ];
  for (const [what, before, command, code, text] of refused)
    it(`isn't ${what}`, () => {
      const decision = decideCustomer(command, stateAfter(before), { planNames: ["free", "paid"] });
      expect(decision).to.have.nested.property("refusal.code", code);
      expect(decision).to.have.nested.property("refusal.message").that.matches(text);
    });
  for (const id of ["", "Acme", "_a", "-a", "a.b", "a b", "a".repeat(65), "ä"])
    it(`can't have the ID ${JSON.stringify(id)}`, () =>
      expect(decideCustomer({ ...ADD, id }, undefined, { planNames: ["free"] })).to.have.nested.property(
        "refusal.code",
        "invalid",
      ));
  it("can have an ID of 64 characters", () =>
    expect(decideCustomer({ ...ADD, id: `0_-${"a".repeat(61)}` }, undefined, { planNames: ["free"] })).to.have.property(
      "fact",
    ));

  it("evolves from its events", () => {
    const facts = [ADDED, changed({ name: "Ex", plan: "paid", monthlyRequests: 7 }), DISABLED];
    const disabled = {
      ...{
        id: "acme",
        name: "Ex",
        plan: "paid",
        monthlyRequests: 7,
        version: 3,
        createdAt: "2026-01-01T00:00:00.000Z",
      },
      ...{ disabledAt: "2026-01-03T00:00:00.000Z", disabledReason: "unpaid" },
    };
    expect(stateAfter(facts)).to.deep.equal(disabled);
    expect(stateAfter([...facts, changed({ name: "Ex", plan: "paid" })])).to.deep.equal({
      ...{ id: "acme", name: "Ex", plan: "paid", version: 4, createdAt: "2026-01-01T00:00:00.000Z" },
      ...{ disabledAt: "2026-01-03T00:00:00.000Z", disabledReason: "unpaid" },
    });
    const enabled = stateAfter([...facts, { type: "CustomerEnabled", data: {} }]);
    expect(enabled).to.include({ plan: "paid", version: 4 }).and.not.have.any.keys("disabledAt", "disabledReason");
  });
});
