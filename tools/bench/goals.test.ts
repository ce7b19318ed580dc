import { expect } from "chai";
import { outcomesOf } from "./goals.ts";
import { type Measured, notMeasured } from "./measure.ts";
import { notOverloaded } from "./overload.ts";

function measured(name: string, microsARequest: number[]): Measured {
  const one = notMeasured({ name, port: 0, pids: [], requests: { path: "/", keys: [] } });
  one.saturation.microsARequest.push(...microsARequest);
  return one;
}

describe("the bench's goals", () => {
  it("are judged by the median ratio of all rounds", () => {
    const [outcome] = outcomesOf(
      [measured("node-http", [10, 10, 10]), measured("standalone-keyed", [12, 20, 12.5])],
      [],
    );
    expect(outcome).to.deep.include({ of: "standalone-keyed", value: 1.25, met: true });
    expect(outcome?.ratio).to.deep.equal({ median: 1.25, minimum: 1.2, maximum: 2 });
    const [missed] = outcomesOf([measured("node-http", [10]), measured("standalone-keyed", [13])], []);
    expect(missed?.met).to.equal(false);
  });

  it("are skipped if one side wasn't measured", () => {
    expect(outcomesOf([measured("standalone-keyed", [12])], [])).to.deep.equal([]);
  });

  it("include the share of its throughput that a cluster serves at twice the load", () => {
    const cluster = notOverloaded(measured("cluster-keyed", [40]));
    cluster.saturationPerSecond.push(1_000, 1_200, 900);
    cluster.admittedPerSecond.push(790, 600, 900);
    const [outcome, ...others] = outcomesOf([], [cluster, { ...cluster, name: "standalone-keyed" }]);
    expect(outcome).to.deep.include({ of: "cluster-keyed", measure: "served at twice saturation", met: false });
    expect(outcome?.ratio).to.deep.equal({ median: 0.79, minimum: 0.5, maximum: 1 });
    expect(others, "of clusters only").to.deep.equal([]);
  });
});
