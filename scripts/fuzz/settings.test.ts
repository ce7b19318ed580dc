import { expect } from "chai";
import { CommandLineError } from "../command-line.ts";
import { readFuzzSettings } from "./settings.ts";

describe("settings of make fuzz", () => {
  it("default to 10 minutes for all subjects, and a new seed each time", () => {
    const { minutes, subjects, seed } = readFuzzSettings([]);
    expect(minutes).to.equal(10);
    expect(subjects).to.include.members(["http", "mmdb", "geofeed", "archive", "key-log", "usage", "protobufs"]);
    expect(readFuzzSettings([]).seed).to.not.equal(seed);
  });

  it("take a seed and a choice of subjects", () => {
    const settings = readFuzzSettings(["--minutes", "0.5", "--only", "http,mmdb", "--seed=-7"]);
    expect(settings).to.deep.equal({ minutes: 0.5, subjects: ["http", "mmdb"], seed: -7 });
  });

  for (const args of [["--minutes", "0"], ["--minutes", "x"], ["--only", "tls"], ["--seed", "1.5"], ["http"]])
    it(`refuse ${args.join(" ")}`, () => {
      expect(() => readFuzzSettings(args)).to.throw(CommandLineError);
    });
});
