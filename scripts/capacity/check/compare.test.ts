import { expect } from "chai";
import { FIGURE_VALUES } from "../figures.ts";
import { type CheckedLoad, compare } from "./compare.ts";
import { type CheckLoad, predict, type Quantities } from "./predict.ts";

const LOAD: CheckLoad = { gateways: 2, geo: 2, perGateway: 400, keys: 500, isKeyed: true };

describe("predictions for the check", () => {
  it("double the messages of twice as many gateways, but not their CPU time per request", () => {
    const [one, two] = [predict({ ...LOAD, gateways: 1 }, FIGURE_VALUES), predict(LOAD, FIGURE_VALUES)];
    expect(two.geoMessages).to.be.closeTo(2 * one.geoMessages, 0.01);
    expect(two.natsIn).to.be.within(1.8 * one.natsIn, 2 * one.natsIn);
    expect(two.gatewayMicros).to.be.within(one.gatewayMicros, 1.2 * one.gatewayMicros);
  });

  it("have Redis commands only for requests without a key, and counts only for those with one", () => {
    const [keyed, keyless] = [predict(LOAD, FIGURE_VALUES), predict({ ...LOAD, isKeyed: false }, FIGURE_VALUES)];
    expect(keyed.redisCommands).to.be.below(100);
    expect(keyless.redisCommands).to.be.above(2 * 800);
    expect(keyed.natsIn - keyless.natsIn).to.be.within(100, 140);
  });
});

describe("the comparison of predictions and measurements", () => {
  const predicted = predict(LOAD, FIGURE_VALUES);
  const round = (factor: number) => ({
    predicted,
    measured: Object.fromEntries(
      Object.entries(predicted).map(([name, value]) => [name, factor * value]),
    ) as unknown as Quantities,
  });
  const checked = (...factors: number[]): CheckedLoad[] => [
    { load: LOAD, rounds: factors.map(round), quantities: ["totalMicros", "natsIn"], latenessMs: 1 },
  ];

  for (const [what, factors, isConfirmed] of [
    ["equal", [1, 1, 1, 1, 1], true],
    ["29 % more", [1.29, 1.29, 1.29], true],
    ["31 % more", [1.31, 1.31, 1.31], false],
    ["31 % less", [0.69, 0.69, 0.69], false],
    ["a good median with outliers", [0.2, 1, 1.1, 1.2, 9], true],
    ["a bad median", [1, 1, 1.5, 1.5, 1.5], false],
    ["nothing measured", [Number.NaN, Number.NaN, Number.NaN], false],
  ] as const)
    it(what, () => {
      const { text, isConfirmed: found } = compare(checked(...factors));
      expect(found).to.equal(isConfirmed);
      expect(text.includes("**off**")).to.equal(!isConfirmed);
    });

  it("is inconclusive on a machine that is too busy", () => {
    const [load] = checked(1, 1, 1);
    const { text, isConfirmed } = compare([{ ...(load as CheckedLoad), latenessMs: 40 }]);
    expect(isConfirmed).to.equal(false);
    expect(text).to.include("sent 40 ms late");
  });
});
