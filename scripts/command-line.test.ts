import { expect } from "chai";
import { asksForHelp, CommandLineError, readArguments } from "./command-line.ts";

const OPTIONS = { reason: { type: "string" }, json: { type: "boolean" } } as const;

describe("readArguments", () => {
  const understood: [line: string[], values: object, positionals: string[]][] = [
    [[], {}, []],
    [["a", "--json", "--reason", "it leaked"], { json: true, reason: "it leaked" }, ["a"]],
    [["--reason=-x", "a"], { reason: "-x" }, ["a"]],
    [["--reason="], { reason: "" }, []],
    [["--", "--json"], {}, ["--json"]],
  ];
  for (const [line, values, positionals] of understood)
    it(`reads ${line.join(" ") || "nothing"}`, () => {
      const read = readArguments(line, OPTIONS, 1);
      expect({ ...read.values }).to.deep.equal(values);
      expect(read.positionals).to.deep.equal(positionals);
    });

  const refused: [line: string[], message: string][] = [
    [["--reson", "x"], "unknown option --reson"],
    [["-j"], "unknown option -j"],
    [["--json=yes"], "--json takes no value"],
    [["--reason"], "--reason needs a value"],
    [["--reason", "--json"], '--reason needs a value; write one that starts with "-" as --reason=--json'],
    [["--reason", "a", "--json", "--reason=a"], "--reason is given more than once"],
    [["--json", "--json"], "--json is given more than once"],
    [["a", "b"], 'unexpected argument "b"'],
  ];
  for (const [line, message] of refused)
    it(`refuses ${line.join(" ")}`, () => {
      expect(() => readArguments(line, OPTIONS, 1))
        .to.throw(CommandLineError)
        .with.property("message", message);
    });
});

describe("asksForHelp", () => {
  for (const [line, expected] of [
    [["--help"], true],
    [["list", "-h"], true],
    [["set-label", "key_1", "--", "--help"], false],
    [["help"], false],
  ] as const)
    it(`is ${expected} for ${line.join(" ")}`, () => expect(asksForHelp(line)).to.equal(expected));
});
