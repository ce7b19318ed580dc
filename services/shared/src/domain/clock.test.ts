import { expect } from "chai";
import { createElapsedClock } from "./clock.ts";

describe("createElapsedClock", () => {
  type Step = readonly [monotonicMs: number, wallMs: number];
  const cases: readonly (readonly [name: string, steps: readonly Step[], elapsedMs: number])[] = [
    ["follows the monotonic clock", [[500, 500]], 500],
    ["runs on while the process is paused", [[35_000, 35_000]], 35_000],
    [
      "runs on while the machine is suspended",
      [
        [1_000, 1_000],
        [1_010, 36_000],
        [1_020, 36_010],
      ],
      36_010,
    ],
    ["ignores a wall clock that is set back", [[1_000, -3_600_000]], 1_000],
    [
      "ignores a wall clock that drifts",
      [
        [1_000, 1_900],
        [2_000, 3_800],
        [3_000, 5_700],
      ],
      3_000,
    ],
  ];
  for (const [name, steps, elapsedMs] of cases)
    it(name, () => {
      const now = { monotonicMs: 0, wallMs: 0 };
      const clock = createElapsedClock(
        () => now.monotonicMs,
        () => now.wallMs,
      );
      const startMs = clock();
      for (const [monotonicMs, wallMs] of steps) {
        Object.assign(now, { monotonicMs, wallMs });
        clock();
      }
      expect(clock() - startMs).to.equal(elapsedMs);
    });
});
