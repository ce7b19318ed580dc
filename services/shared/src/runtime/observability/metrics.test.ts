import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { createTally, exposeCounter, exposeGauge } from "./metrics.ts";

describe("metrics that are read when rendered", () => {
  let registry: Registry;
  beforeEach(() => {
    registry = new Registry();
  });
  const lines = async () => (await registry.metrics()).split("\n").filter((line) => line && !line.startsWith("#"));

  it("a tally counts each set of label values separately", async () => {
    const tally = createTally(registry, {
      name: "responses_total",
      help: "Responses.",
      labelNames: ["status", "plan"],
    });
    const paid = tally("200", "paid");
    paid.count += 2;
    tally("200", "free").count += 1;
    tally("404", "paid").count += 1;
    tally("200", "paid").count += 1;
    tally("200", "none");
    expect(tally("200", "paid")).to.equal(paid);
    const expected = [
      'responses_total{status="200",plan="paid"} 3',
      'responses_total{status="200",plan="free"} 1',
      'responses_total{status="404",plan="paid"} 1',
      'responses_total{status="200",plan="none"} 0',
    ];
    expect(await lines()).to.deep.equal(expected);
    expect(await lines(), "asked again").to.deep.equal(expected);
  });

  it("a counter and a gauge show the value at that moment", async () => {
    let value = 4;
    exposeCounter(registry, "seen_total", "Seen.", () => value);
    exposeGauge(registry, "seen", "Seen.", () => value);
    expect(await lines()).to.deep.equal(["seen_total 4", "seen 4"]);
    value = 7;
    expect(await lines()).to.deep.equal(["seen_total 7", "seen 7"]);
  });
});
