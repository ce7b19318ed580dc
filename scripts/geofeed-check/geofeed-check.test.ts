import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";

describe("geofeed-check", () => {
  const fileOf = (text: string) => {
    const path = join(tempFolder(), "geofeed.csv");
    writeFileSync(path, text);
    return path;
  };
  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runHere(["data", "check-geofeed", ...args], environment);

  it("counts the lines of a valid file", async () => {
    const path = fileOf("# ours\n9.8.7.0/24,US,US-WA,Seattle,\n2a00:1450::/32,FR,,,\n");
    expect(await run([path])).to.deep.equal({
      status: 0,
      stdout: `${path}: 2 prefixes, 0 lines left out\n`,
      stderr: "",
    });
  });

  it("lists invalid lines, and exits with status 1", async () => {
    const path = fileOf("9.8.7.0/24,US,US-WA,Seattle,\n9.8.6.0/24,UK\nnonsense\n");
    const { status, stdout } = await run([], { GEOFEED_FILE: path });
    expect(stdout.split("\n")).to.deep.equal([
      "line 2: the country UK isn't an ISO 3166-1 code such as US",
      "line 3: this isn't a prefix such as 192.0.2.0/24 or 2001:db8::/32",
      `${path}: 1 prefix, 2 lines left out`,
      "",
    ]);
    expect(status).to.equal(1);
  });

  it("lists lines without a current region, which apply unless --strict is given", async () => {
    const path = fileOf("9.8.7.0/24,US,CA,Los Angeles,\n9.8.6.0/24,GB,GB-EN,London,\n");
    const { status, stdout } = await run([path]);
    expect(stdout).to.match(
      /^line 1 \(applies\): .*; read as US-CA\nline 2 \(applies\): .*; left out\n.*: 2 prefixes, 0 lines left out\n$/,
    );
    expect(status).to.equal(0);
    const strict = await run([path, "--strict"]);
    expect(strict.stdout).to.match(/^line 1: .*\nline 2: .*\n$/);
    expect(strict).to.include({ status: 1 });
  });

  it("lists extra fields, which are allowed", async () => {
    const { status, stdout } = await run([fileOf("9.8.7.0/24,US,US-DC,Washington, D.C.,20001\n")]);
    expect(stdout).to.match(/^line 1 \(applies\): everything after the fifth field is ignored/);
    expect(status).to.equal(0);
  });

  it("lists the invalid lines of a file without any valid one", async () => {
    const { status, stdout, stderr } = await run([fileOf("a\nb\n")]);
    expect(stdout).to.match(/^line 1: .*\nline 2: .*\n$/);
    expect(stderr).to.match(/^data: the geofeed file .* cannot be used: none of its lines can be used/);
    expect(status).to.equal(1);
  });

  it("reports missing files and extra arguments", async () => {
    expect(await run(["no-such.csv"]))
      .to.include({ status: 1 })
      .and.to.have.property("stderr")
      .that.matches(/no-such\.csv is missing/);
    expect(await run([]))
      .to.include({ status: 2 })
      .and.to.have.property("stderr")
      .that.matches(/^data: no file given: name one, or set GEOFEED_FILE\n/);
    expect(await run(["a", "b"])).to.include({ status: 2 });
  });
});
