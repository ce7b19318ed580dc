import { expect } from "chai";
import { limitsText, type PlanLimits } from "../../domain/plans.ts";
import { limitsFromWire, limitsToWire } from "./wire.ts";

const cases: [limits: PlanLimits, text: string][] = [
  [{ perCallerHourly: 1_000, rate: null }, "1,000 an hour per caller"],
  [{ perCallerHourly: null, rate: { perSecond: 10, burst: 10 } }, "10 a second"],
  [
    { perCallerHourly: 100, rate: { perSecond: 10, burst: 2_000 } },
    "100 an hour per caller, 10 a second (burst 2,000)",
  ],
];

describe("limitsText, limitsToWire and limitsFromWire", () => {
  for (const [limits, text] of cases) {
    it(`print ${text}`, () => expect(limitsText(limits)).to.equal(text));
    it(`preserve ${text}`, () => expect(limitsFromWire(limitsToWire(limits))).to.deep.equal(limits));
  }
});
