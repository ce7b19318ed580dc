import { resolve } from "node:path";
import { expect } from "chai";
import { CommandLineError } from "../../scripts/command-line.ts";
import { benchSettings, CONTESTANTS } from "./settings.ts";

describe("the bench's settings", () => {
  it("default to all contestants and the data folder", () => {
    const settings = benchSettings({}, {});
    expect([...settings.contestants]).to.deep.equal([...CONTESTANTS]);
    expect(settings.dataDir).to.equal(resolve("data"));
    expect(settings.manyKeys).to.equal(100_000);
    expect(settings.profile).to.equal(false);
    expect(benchSettings({ profile: true }, {}).profile).to.equal(true);
  });

  it("--quick measures fewer contestants for less time, --only the named ones", () => {
    const [full, quick] = [benchSettings({}, {}), benchSettings({ quick: true }, { DATA_DIR: "/srv" })];
    expect(quick.contestants.size).to.be.below(full.contestants.size);
    expect(quick.saturationRounds * quick.saturationMs).to.be.below(full.saturationRounds * full.saturationMs);
    expect(quick.dataDir).to.equal("/srv");
    const { contestants } = benchSettings({ quick: true, only: "naive,node-http" }, {});
    expect([...contestants]).to.deep.equal(["naive", "node-http"]);
  });

  it("refuse an unknown contestant", () => {
    expect(() => benchSettings({ only: "wrk" }, {})).to.throw(CommandLineError, "wrk");
  });
});
