import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { Registry } from "prom-client";
import { addressOf } from "../testing/address-of.ts";
import { capturingLog, temporaryFolder } from "../testing/fixtures.ts";
import { type OpenedGeofeed, openGeofeed } from "./geofeed-file.ts";

describe("the geofeed file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let lines: Record<string, unknown>[];
  let registry: Registry;
  let changes: number;
  beforeEach(() => {
    folder = temporaryFolder("geofeed");
    path = join(folder.path, "geofeed.csv");
    changes = 0;
  });
  afterEach(() => folder.remove());

  const open = () => {
    const captured = capturingLog();
    lines = captured.lines;
    registry = new Registry();
    return openGeofeed({ path, log: captured.log, registry, onChange: () => changes++ });
  };
  const opened = async (text: string) => {
    writeFileSync(path, text);
    const geofeed = await open();
    lines.length = 0;
    return geofeed;
  };
  const cityOf = (geofeed: OpenedGeofeed, ip = "9.8.7.1") => geofeed.current().find(addressOf(ip))?.city;
  const poll = async (geofeed: OpenedGeofeed, times = 2) => {
    for (let index = 0; index < times; index++) await geofeed.poll();
  };
  const metric = async (name: string, labels = "") => {
    const line = (await registry.metrics())
      .split("\n")
      .find((one) => one.startsWith(`geolookup_geo_geofeed_${name}${labels} `));
    return line === undefined ? undefined : Number(line.split(" ")[1]);
  };
  const refusal = async () => {
    const error = await open().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    return (error as Error).message;
  };

  it("is read at start, and says how much of it is in use", async () => {
    writeFileSync(path, "9.8.7.0/24,US,,Seattle,\n9.8.6.0/24,XY\n9.8.5.0/24,US,,Washington,D.C.,1\n");
    const geofeed = await open();
    expect(cityOf(geofeed)).to.equal("Seattle");
    expect(lines).to.deep.equal([
      { level: "info", file: path, prefixes: 2, skippedLines: 1, msg: "the geofeed is in use" },
      {
        level: "warn",
        file: path,
        skippedLines: 1,
        problems: [
          "line 2: the country XY isn't an ISO 3166-1 code such as US",
          "line 3 (applies): everything after the fifth field is ignored; check for an extra comma",
        ],
        msg: "the geofeed has bad lines; make geofeed-check lists them all",
      },
    ]);
    expect([await metric("prefixes"), await metric("skipped_lines")]).to.deep.equal([2, 1]);
    expect(await metric("loaded_timestamp_seconds")).to.be.closeTo(Date.now() / 1000, 60);
  });

  it("names only the first bad lines in the log", async () => {
    writeFileSync(path, `9.8.7.0/24,US\n${"nonsense\n".repeat(500)}`);
    await open();
    expect(lines[1]).to.include({ skippedLines: 500 }).and.to.have.property("problems").with.length(20);
  });

  it("is reloaded after a change, once it is stable", async () => {
    const geofeed = await opened("9.8.7.0/24,US,,Seattle,\n");
    await poll(geofeed, 3);
    expect([cityOf(geofeed), changes, lines]).to.deep.equal(["Seattle", 0, []]);
    writeFileSync(path, "9.8.7.0/24,US,,Tacoma,\n9.8.6.0/24,XY\n");
    await poll(geofeed, 1);
    expect(cityOf(geofeed)).to.equal("Seattle");
    await poll(geofeed, 1);
    expect([cityOf(geofeed), changes]).to.deep.equal(["Tacoma", 1]);
    expect(await metric("reloads_total", '{result="reloaded"}')).to.equal(1);
    expect(await metric("skipped_lines")).to.equal(1);
  });

  it("is reloaded when another file is renamed over it", async () => {
    const geofeed = await opened("9.8.7.0/24,US,,Seattle,\n");
    writeFileSync(`${path}.new`, "9.8.7.0/24,US,,Tacoma,\n");
    renameSync(`${path}.new`, path);
    await poll(geofeed);
    expect(cityOf(geofeed)).to.equal("Tacoma");
  });

  it("corrects nothing any longer when it is emptied", async () => {
    const geofeed = await opened("9.8.7.0/24,US,,Seattle,\n");
    writeFileSync(path, "");
    await poll(geofeed);
    expect([geofeed.current().find(addressOf("9.8.7.1")), await metric("prefixes")]).to.deep.equal([null, 0]);
  });

  const losses: Record<string, [() => void, string, RegExp]> = {
    "is gone": [() => rmSync(path), "missing", /^the geofeed file is gone; its corrections stay in use$/],
    "is a folder now": [
      () => {
        rmSync(path);
        mkdirSync(path);
      },
      "refused",
      /^the changed geofeed was refused/,
    ],
    "has no good line": [() => writeFileSync(path, "<html>\n"), "refused", /^the changed geofeed was refused/],
  };
  for (const [what, [lose, result, message]] of Object.entries(losses))
    it(`stays in use when it ${what}, which is said once, and when it is back`, async () => {
      const geofeed = await opened("9.8.7.0/24,US,,Seattle,\n");
      lose();
      await poll(geofeed, 4);
      expect([cityOf(geofeed), lines.length]).to.deep.equal(["Seattle", 1]);
      expect(lines[0]?.msg).to.match(message);
      expect(await metric("reloads_total", `{result="${result}"}`)).to.equal(1);
      expect([await metric("prefixes"), await metric("refused")]).to.deep.equal([1, 1]);
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, "9.8.7.0/24,US,,Tacoma,\n");
      await poll(geofeed);
      expect([cityOf(geofeed), await metric("refused")]).to.deep.equal(["Tacoma", 0]);
    });

  it("stops the start when it cannot be used, and says what to do", async () => {
    expect(await refusal()).to.equal(
      `the geofeed file ${path} is missing; create it (it may be empty) or unset GEOFEED_FILE`,
    );
    writeFileSync(path, "no\n");
    expect(await refusal()).to.match(/cannot be used: none of its lines can be used; line 1: this isn't a prefix/);
    path = folder.path;
    expect(await refusal()).to.equal(`the geofeed file ${path} is a folder; set GEOFEED_FILE to a file in it`);
    writeFileSync(join(folder.path, "file"), "");
    path = join(folder.path, "file", "geofeed.csv");
    expect(await refusal()).to.match(/^the geofeed file .* cannot be read: ENOTDIR/);
  });

  it("never has a prefix in the log", async () => {
    const geofeed = await opened("9.8.7.0/24,US,,Seattle,\n");
    writeFileSync(path, "9.8.7.6,US\n9.8.7.6,DE\n9.8.7.5,9.8.7.4\n9.8.7.3/24,US\n2a00:1450::1/64,US\n9.8.7.2/33\n");
    await poll(geofeed);
    expect(lines).to.have.length(2);
    expect(JSON.stringify(lines)).to.not.match(/9\.8\.7|2a00/);
  });
});
