import { expect } from "chai";
import { UsageCounts } from "./usage-counts.ts";

type Pair = [number: number, count: number];

/** Keys that are named by their numbers. */
const keyed = (pairs: Iterable<Pair>) => new Map(Array.from(pairs, ([number, count]) => [`${number}`, count]));

describe("UsageCounts", () => {
  const cases: { name: string; given: Pair[][]; expected: Pair[]; raised: Pair[] }[] = [
    {
      name: "greater counts only, with their growth",
      given: [[[1, 5]], [[1, 4]], [[1, 5]], [[1, 9]]],
      expected: [[1, 9]],
      raised: [
        [1, 5],
        [1, 4],
      ],
    },
    {
      name: "counts beyond 32 bits",
      given: [[[1, 5_000_000_000]]],
      expected: [[1, 5_000_000_000]],
      raised: [[1, 5_000_000_000]],
    },
  ];
  for (const { name, given, expected, raised } of cases)
    it(`stores ${name}`, () => {
      const counts = new UsageCounts();
      const growth: Pair[] = [];
      for (const pairs of given) counts.raise(keyed(pairs), Number, (number, by) => growth.push([number, by]));
      expect(counts.size).to.equal(expected.length);
      const held = new Map(expected);
      for (let number = 0; number <= 40; number++)
        expect(counts.get(number), `${number}`).to.equal(held.get(number) ?? 0);
      expect(growth).to.deep.equal(raised);
    });

  it("equals a Map with many random numbers", () => {
    const counts = new UsageCounts();
    const model = new Map<number, number>();
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 50; round++) {
      const pairs = new Map(Array.from({ length: 20 }, (): Pair => [random(300), random(100)]));
      counts.raise(keyed(pairs), Number, () => {});
      for (const [number, count] of pairs) if (count > (model.get(number) ?? 0)) model.set(number, count);
    }
    for (let number = 0; number < 300; number++)
      expect(counts.get(number), `${number}`).to.equal(model.get(number) ?? 0);
  });
});
