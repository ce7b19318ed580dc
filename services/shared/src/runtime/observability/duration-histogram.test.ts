import { Histogram, Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { createDurationHistogram } from "./duration-histogram.ts";

describe("createDurationHistogram", () => {
  it("renders the same text as the client's histogram", async () => {
    const metric = { name: "seconds", help: "Seconds.", buckets: [0.001, 0.5, 1] };
    const [ours, theirs] = [new Registry(), new Registry()];
    const durationsOf = createDurationHistogram(ours, { ...metric, labelName: "route" });
    const expected = new Histogram({ ...metric, labelNames: ["route"], registers: [theirs] });
    for (const route of ["/", "other"]) {
      const durations = durationsOf(route);
      for (const seconds of [0, 0.001, 0.0011, 0.25, 0.5, 0.75, 1, 1.5, 20]) {
        durations.observe(seconds);
        expected.observe({ route }, seconds);
      }
    }
    expect(await ours.metrics()).to.equal(await theirs.metrics());
  });
});
