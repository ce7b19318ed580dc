import { expect } from "chai";
import { CommandLineError } from "../../scripts/command-line.ts";
import { fuzzSettings } from "./settings.ts";

describe("settings of make fuzz", () => {
  it("default to 10 minutes for all subjects, and a new seed each time", () => {
    const { minutes, subjects, seed } = fuzzSettings({});
    expect(minutes).to.equal(10);
    expect(subjects).to.include.members(["http", "mmdb", "geofeed", "archive", "key-log", "usage", "protobufs"]);
    expect(fuzzSettings({}).seed).to.not.equal(seed);
  });

  it("take a seed and a choice of subjects", () => {
    const settings = fuzzSettings({ minutes: "0.5", only: "http,mmdb", seed: "-7" });
    expect(settings).to.deep.equal({ minutes: 0.5, subjects: ["http", "mmdb"], seed: -7 });
  });

  for (const options of [{ minutes: "0" }, { minutes: "x" }, { only: "tls" }, { seed: "1.5" }])
    it(`refuse ${JSON.stringify(options)}`, () => {
      expect(() => fuzzSettings(options)).to.throw(CommandLineError);
    });
});
