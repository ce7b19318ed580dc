import { expect } from "chai";
import { quotaBar } from "./format.ts";

const PLANS = new Map([
  ["hundred", { fields: "paid" as const, monthlyRequests: 100 }],
  ["closed", { fields: "paid" as const, monthlyRequests: 0 }],
]);

describe("quotaBar", () => {
  for (const [used, plan, level, width, says] of [
    [0, "hundred", "room", "0.00", '0 <span class="of">of 100'],
    [79, "hundred", "room", "79.00", '79 <span class="of">of 100'],
    [80, "hundred", "nearly", "80.00", '80 <span class="of">of 100'],
    [100, "hundred", "full", "100.00", '100 <span class="of">of 100'],
    [12_345, "hundred", "full", "100.00", '12,345 <span class="of">of 100'],
    [0, "closed", "full", "100.00", '0 <span class="of">of 0'],
  ] as const)
    it(`${used} of plan ${plan} is ${level}`, () => {
      const { text } = quotaBar(used, { keyId: "key_1", plan }, PLANS);
      expect(text).to.include(`class="quota ${level}"`).and.include(`class="used" width="${width}"`).and.include(says);
    });

  it("shows only the number if the plan or all plans are unknown", () => {
    for (const plans of [PLANS, null])
      expect(quotaBar(7, { keyId: "key_1", plan: "gone" }, plans).text).to.equal('<span class="quota">7</span>');
  });

  it("shows only the number if other keys use the quota, too", () => {
    const key = { keyId: "key_1", plan: "hundred" };
    const own = { id: "key_1", monthlyRequests: 100 };
    expect(quotaBar(7, { ...key, quota: own }, PLANS).text).to.include("of 100");
    for (const shared of [{ quota: { ...own, id: "customer_acme" } }, { quota: own, rotatedTo: "key_2" }])
      expect(quotaBar(7, { ...key, ...shared }, PLANS).text).to.equal('<span class="quota">7</span>');
  });
});
