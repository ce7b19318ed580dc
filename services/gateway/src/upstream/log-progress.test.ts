import { expect } from "chai";
import { createLogProgress } from "./log-progress.ts";

const at = (sequence: number, epoch = "epoch") => ({ epoch, sequence });

describe("createLogProgress", () => {
  type Report = readonly [position: ReturnType<typeof at> | null, ageMs: number];
  const cases: readonly (readonly [name: string, reports: readonly Report[], isBehind: boolean, highest: number])[] = [
    ["a node that follows the log is current", [[at(3), 900]], false, 3],
    ["so is one of an earlier version or with an embedded log, without a position", [[null, 0]], false, 0],
    ["one that lost its feed is behind", [[at(3), 5_000]], true, 3],
    [
      "one that has read less than another is behind",
      [
        [at(4), 0],
        [at(3), 0],
      ],
      true,
      4,
    ],
    [
      "even if the other has lost its feed",
      [
        [at(4), 60_000],
        [at(3), 0],
      ],
      true,
      4,
    ],
    [
      "two that have read the same are current",
      [
        [at(4), 0],
        [at(4), 0],
      ],
      false,
      4,
    ],
    [
      "a new log counts from its start",
      [
        [at(4), 0],
        [at(1, "new"), 0],
      ],
      false,
      1,
    ],
    [
      "a node that lost its feed can't bring back an old log",
      [
        [at(1, "new"), 0],
        [at(4), 60_000],
        [at(1, "new"), 0],
      ],
      false,
      1,
    ],
  ];
  for (const [name, reports, isBehind, highest] of cases)
    it(name, () => {
      const progress = createLogProgress();
      const results = reports.map(([position, ageMs]) => progress.isBehind(position, ageMs));
      expect(results.at(-1)).to.equal(isBehind);
      expect(progress.highest()?.sequence ?? 0).to.equal(highest);
    });
});
