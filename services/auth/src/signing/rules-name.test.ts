import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { createRulesName } from "./rules-name.ts";
import type { SigningRing } from "./signing-ring.ts";

const ringOf = (...ids: string[]): SigningRing => {
  const keys = ids.map((id) => ({ id, secret: Buffer.alloc(32, id) }));
  return { active: keys[0] as (typeof keys)[0], byId: new Map(keys.map((key) => [key.id, key])) };
};
const plansOf = (...limits: number[]): Plans =>
  new Map(limits.map((monthlyRequests, index) => [`plan${index}`, { fields: "free", monthlyRequests }]));
const withLimit = (plans: Plans): Plans =>
  new Map([...plans].map(([name, plan]) => [name, { ...plan, limits: { perCallerHourly: 1, rate: null } }]));

describe("createRulesName", () => {
  const nameOf = (ring: SigningRing, plans: Plans) =>
    createRulesName(
      () => ring,
      () => plans,
    )();
  const name = nameOf(ringOf("aaaa", "bbbb"), plansOf(1, 2));

  it("returns the same name for the same files, whatever their order", () => {
    expect(nameOf(ringOf("bbbb", "aaaa"), new Map([...plansOf(1, 2)].reverse()))).to.equal(name);
  });
  for (const [change, other] of [
    ["a signing key is dropped", nameOf(ringOf("aaaa"), plansOf(1, 2))],
    ["a signing key is added", nameOf(ringOf("aaaa", "bbbb", "cccc"), plansOf(1, 2))],
    ["a plan's limit changes", nameOf(ringOf("aaaa", "bbbb"), plansOf(1, 3))],
    ["a plan is added", nameOf(ringOf("aaaa", "bbbb"), plansOf(1, 2, 3))],
    ["a plan gets another limit", nameOf(ringOf("aaaa", "bbbb"), withLimit(plansOf(1, 2)))],
  ] as const) {
    it(`returns another name when ${change}`, () => expect(other).not.to.equal(name));
  }
  it("changes when a file is reloaded", () => {
    let plans = plansOf(1);
    const current = createRulesName(
      () => ringOf("aaaa"),
      () => plans,
    );
    const before = current();
    plans = plansOf(2);
    expect(current()).not.to.equal(before);
  });
});
