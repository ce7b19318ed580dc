import { expect } from "chai";
import { CommandLineError } from "../command-line.ts";
import type { Load } from "./load.ts";
import { readCapacitySettings } from "./settings.ts";

function loadOf(line: string): Load {
  const settings = readCapacitySettings(line.split(" "));
  if (settings.kind !== "plan") throw new Error("no plan");
  return settings.load;
}

describe("the arguments of make capacity", () => {
  it("default to one region and 10,000 keys", () => {
    expect(loadOf("--rps 2000")).to.deep.equal({
      requestsPerSecond: 2_000,
      keys: 10_000,
      keylessShare: 0.1,
      unknownShare: 0,
      connections: 2_000,
      changesPerSecond: 1,
      requestsPerCaller: 12,
      gatewaysPerKey: Number.POSITIVE_INFINITY,
      regions: 1,
      regionDelaySeconds: 0.2,
      utilization: 0.6,
    });
  });

  it("can be written in several ways", () => {
    expect(loadOf("--rps 5,000,000 --keys 1_000_000").keys).to.equal(1e6);
    expect(loadOf("--rps 5e6 --keyless 25% --unknown 0.05")).to.include({
      ...{ requestsPerSecond: 5e6, keylessShare: 0.25, unknownShare: 0.05 },
    });
    expect(loadOf("--rps 10 --gateways-per-key 2 --region-delay 0.15")).to.include({
      ...{ gatewaysPerKey: 2, regionDelaySeconds: 0.15 },
    });
    expect(readCapacitySettings(["--check"])).to.deep.equal({ kind: "check" });
  });

  for (const [line, message] of [
    ["--keys 5", "--rps is missing"],
    ["--rps 0", "--rps must be a number from 1"],
    ["--rps=-5", "--rps must be a number from 1"],
    ["--rps NaN", "--rps must be"],
    ["--rps Infinity", "--rps must be"],
    ["--rps 1e99", "--rps must be"],
    ["--rps 0x10", "--rps must be"],
    [`--rps ${"9".repeat(5_000)}`, "--rps must be"],
    ["--rps 10 --keys 1.5", "--keys must be a whole number"],
    ["--rps 10 --keys 0", "--keys must be"],
    ["--rps 10 --keyless 110%", "--keyless must be a share from 0 to 1"],
    ["--rps 10 --keyless -1", "--keyless needs a value"],
    ["--rps 10 --keyless 60% --unknown 60%", "more than all requests"],
    ["--rps 10 --regions 101", "--regions must be"],
    ["--rps 10 --utilization 0", "--utilization must be a share from 0.05"],
    ["--rps 10 --gateways-per-key none", "--gateways-per-key must be"],
    ["--rps 10 --check", "--check takes no other options"],
    ["--rps 10 --rate 5", "unknown option --rate"],
    ["--rps 10 20", "unexpected argument"],
  ] as const)
    it(`refuses ${line.slice(0, 60)}`, () => {
      expect(() => readCapacitySettings(line.split(" ")))
        .to.throw(CommandLineError, message)
        .with.property("message")
        .length.below(200);
    });
});
