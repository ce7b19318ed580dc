import { expect } from "chai";
import { CommandLineError } from "../command-line.ts";
import { readAttackSettings } from "./settings.ts";

describe("settings of make attack", () => {
  it("default to 120 s of every attack on a standalone", () => {
    expect(readAttackSettings([], {})).to.deep.include({ seconds: 120, only: null, way: "standalone", given: null });
  });

  it("name a running deployment, with what the well-behaved client needs there", () => {
    const args = ["--url", "https://geo.example.test/v1/geo", "--docs-url", "https://docs.example.test"];
    expect(readAttackSettings(args, { GOOD_KEY: "geo_sk_x" }))
      .to.have.property("given")
      .that.deep.equals({
        url: "https://geo.example.test",
        docsUrl: "https://docs.example.test",
        ca: null,
        key: "geo_sk_x",
        adminToken: null,
      });
    expect(() => readAttackSettings(args, {})).to.throw(CommandLineError, "GOOD_KEY");
    expect(() => readAttackSettings(args.slice(0, 2), { GOOD_KEY: "x" })).to.throw(CommandLineError, "--docs-url");
  });

  for (const args of [["--seconds", "0"], ["--seconds", "x"], ["--rate", "-1"], ["--against", "compose"], ["more"]])
    it(`refuse ${args.join(" ")}`, () => {
      expect(() => readAttackSettings(args, {})).to.throw(CommandLineError);
    });
});
