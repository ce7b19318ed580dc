import { resolve } from "node:path";
import { expect } from "chai";
import { CommandLineError } from "../command-line.ts";
import { CONTESTANTS, HELP, readBenchSettings } from "./settings.ts";

describe("the bench's settings", () => {
  it("default to all contestants and the data folder", () => {
    const settings = readBenchSettings([], {});
    expect([...settings.contestants]).to.deep.equal([...CONTESTANTS]);
    expect(settings.dataDir).to.equal(resolve("data"));
    expect(settings.manyKeys).to.equal(100_000);
    expect(settings.profile).to.equal(false);
    expect(readBenchSettings(["--profile"], {}).profile).to.equal(true);
  });

  it("--quick measures fewer contestants for less time, --only the named ones", () => {
    const [full, quick] = [readBenchSettings([], {}), readBenchSettings(["--quick"], { DATA_DIR: "/srv" })];
    expect(quick.contestants.size).to.be.below(full.contestants.size);
    expect(quick.saturationRounds * quick.saturationMs).to.be.below(full.saturationRounds * full.saturationMs);
    expect(quick.dataDir).to.equal("/srv");
    const { contestants } = readBenchSettings(["--quick", "--only", "naive,node-http"], {});
    expect([...contestants]).to.deep.equal(["naive", "node-http"]);
  });

  for (const args of [["--only", "wrk"], ["--fast"], ["extra"]])
    it(`refuses ${args.join(" ")}`, () => {
      expect(() => readBenchSettings(args, {})).to.throw(CommandLineError, args.at(-1));
    });

  it("are explained, with every contestant", () => {
    for (const name of CONTESTANTS) expect(HELP).to.include(name);
  });
});
