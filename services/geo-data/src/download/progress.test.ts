import { expect } from "chai";
import { createProgress } from "./progress.ts";

describe("createProgress", () => {
  function record(isTTY: boolean) {
    const written: string[] = [];
    const clock = { now: 0 };
    return {
      written,
      clock,
      progress: createProgress("ink", { write: (text) => written.push(text), isTTY }, () => clock.now),
    };
  }

  it("writes a line every few seconds to a file", () => {
    const { written, clock, progress } = record(false);
    for (; clock.now <= 4_000; clock.now += 500) progress.show(clock.now * 1_000, 4_000_000);
    progress.end();
    expect(written).to.deep.equal([
      "ink: 0.0 of 4.0 MB (0%)\n",
      "ink: 3.0 of 4.0 MB (75%)\n",
      "ink: 4.0 of 4.0 MB (100%)\n",
    ]);
  });

  it("rewrites one line on a terminal", () => {
    const { written, clock, progress } = record(true);
    progress.show(1_000_000, null);
    clock.now = 50;
    progress.show(1_500_000, null);
    clock.now = 200;
    progress.show(2_000_000, null);
    progress.end();
    expect(written).to.deep.equal(["\r\u001b[Kink: 1.0 MB", "\r\u001b[Kink: 2.0 MB", "\n"]);
  });
});
