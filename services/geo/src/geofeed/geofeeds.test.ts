import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { addressOf } from "../testing/address-of.ts";
import { capturingLog, temporaryFolder } from "../testing/fixtures.ts";
import { HOSTILE_FILES } from "../testing/hostile-databases.ts";
import type { CityLocations } from "./city-locations.ts";
import { type OpenedGeofeeds, openGeofeeds } from "./geofeeds.ts";

const SEATTLE = "9.8.7.0/24,US,,Seattle,\n";
const TACOMA = "9.8.7.0/24,US,,Tacoma,\n";

const NO_CITIES: CityLocations = { isOutdated: () => false, locate: async () => (correction) => correction };

describe("geofeeds", () => {
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

  const open = async (named: readonly string[] = [path], optional: readonly string[] = []) => {
    const captured = capturingLog();
    lines = captured.lines;
    registry = new Registry();
    const onChange = () => changes++;
    const paths = { named, optional };
    const geofeeds = await openGeofeeds({ paths, log: captured.log, registry, cities: NO_CITIES, onChange });
    await geofeeds.poll();
    changes = 0;
    return geofeeds;
  };
  const opened = async (text: string) => {
    writeFileSync(path, text);
    const geofeeds = await open();
    lines.length = 0;
    return geofeeds;
  };
  const cityOf = (geofeeds: OpenedGeofeeds, ip = "9.8.7.1") => geofeeds.current().find(addressOf(ip))?.city;
  const poll = async (geofeeds: OpenedGeofeeds, times = 2) => {
    for (let index = 0; index < times; index++) await geofeeds.poll();
  };
  const metric = async (name: string, labels = "") => {
    const line = (await registry.metrics())
      .split("\n")
      .find((one) => one.startsWith(`geolookup_geo_geofeed${name}${labels} `));
    return line === undefined ? undefined : Number(line.split(" ")[1]);
  };
  const refusal = async (...named: string[]) => {
    const error = await open(named).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    return (error as Error).message;
  };

  it("are read at the start, and log how many lines are in use", async () => {
    writeFileSync(path, "9.8.7.0/24,US,,Seattle,\n9.8.6.0/24,XY\n9.8.5.0/24,US,,Washington,D.C.,1\n");
    const geofeeds = await open();
    expect(cityOf(geofeeds)).to.equal("Seattle");
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
        msg: "the geofeed has bad lines; ./geolookup data check-geofeed lists them all",
      },
    ]);
    expect([await metric("s"), await metric("_prefixes"), await metric("_skipped_lines")]).to.deep.equal([1, 2, 1]);
    expect(await metric("_loaded_timestamp_seconds")).to.be.closeTo(Date.now() / 1000, 60);
  });

  it("log only the first invalid lines", async () => {
    writeFileSync(path, `9.8.7.0/24,US\n${"nonsense\n".repeat(500)}`);
    await open();
    expect(lines[1]).to.include({ skippedLines: 500 }).and.to.have.property("problems").with.length(20);
  });

  it("are set, changed and removed while running", async () => {
    const geofeeds = await open();
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["the geofeed file is missing; it applies once it exists"]);
    const seen: (string | null | undefined)[] = [];
    for (const change of [
      () => writeFileSync(path, SEATTLE),
      () => writeFileSync(path, `${TACOMA}9.8.6.0/24,XY\n`),
      () => {
        writeFileSync(`${path}.new`, SEATTLE);
        renameSync(`${path}.new`, path);
      },
      () => rmSync(path),
      () => writeFileSync(path, TACOMA),
      () => writeFileSync(path, ""),
    ]) {
      change();
      await poll(geofeeds, 1);
      seen.push(cityOf(geofeeds));
      await poll(geofeeds, 3);
      seen.push(cityOf(geofeeds));
    }
    const [none, seattle, tacoma] = [undefined, "Seattle", "Tacoma"];
    expect(seen).to.deep.equal([
      ...[none, seattle, seattle, tacoma, tacoma, seattle, seattle, none, none, tacoma, tacoma, none],
    ]);
    expect(changes).to.equal(6);
    expect(await metric("_reloads_total", '{result="reloaded"}')).to.equal(5);
    expect(await metric("_reloads_total", '{result="removed"}')).to.equal(1);
    expect([await metric("_prefixes"), await metric("_skipped_lines")]).to.deep.equal([0, 0]);
    expect(lines.map(({ msg }) => msg)).to.include("the geofeed file was removed; its corrections no longer apply");
  });

  it("in a folder are added and removed while running, as is the folder itself", async () => {
    const feeds = join(folder.path, "feeds");
    const geofeeds = await open([], [feeds]);
    expect(lines).to.deep.equal([]);
    mkdirSync(feeds);
    for (const [name, text] of Object.entries({ "b.csv": TACOMA, "notes.txt": SEATTLE, ".a.csv": SEATTLE }))
      writeFileSync(join(feeds, name), text);
    await poll(geofeeds);
    expect(cityOf(geofeeds), "added").to.equal("Tacoma");
    writeFileSync(join(feeds, "a.csv"), `${SEATTLE}9.8.6.0/24,US,,Everett,\n`);
    await poll(geofeeds);
    expect([cityOf(geofeeds), cityOf(geofeeds, "9.8.6.1")], "an earlier name").to.deep.equal(["Seattle", "Everett"]);
    expect([await metric("s"), await metric("_prefixes")]).to.deep.equal([2, 2]);
    rmSync(join(feeds, "a.csv"));
    await poll(geofeeds);
    expect([cityOf(geofeeds), cityOf(geofeeds, "9.8.6.1")], "removed").to.deep.equal(["Tacoma", undefined]);
    rmSync(feeds, { recursive: true });
    await poll(geofeeds);
    expect([cityOf(geofeeds), await metric("s")], "the folder").to.deep.equal([undefined, 0]);
  });

  const losses: Record<string, () => void> = {
    "becomes a folder": () => {
      rmSync(path);
      mkdirSync(path);
    },
    "becomes a named pipe": () => {
      rmSync(path);
      HOSTILE_FILES["a named pipe"]?.(path);
    },
    "becomes unreachable": () => {
      rmSync(folder.path, { recursive: true });
      writeFileSync(folder.path, "");
    },
    "has no valid line": () => writeFileSync(path, "<html>\n"),
    "is too large": () => truncateSync(path, 100_000_001),
  };
  for (const [what, lose] of Object.entries(losses))
    it(`keep the corrections of a file that ${what}, and log it once`, async () => {
      const geofeeds = await opened(SEATTLE);
      lose();
      await poll(geofeeds, 4);
      if (what === "becomes a folder") writeFileSync(join(path, "unrelated.csv"), "");
      expect([cityOf(geofeeds), lines.length]).to.deep.equal(["Seattle", 1]);
      expect(lines[0]?.msg).to.equal("the geofeed was refused; corrections read from it before stay in use");
      expect(await metric("_reloads_total", '{result="refused"}')).to.equal(1);
      expect([await metric("_prefixes"), await metric("_refused")]).to.deep.equal([1, 1]);
      rmSync(folder.path, { recursive: true, force: true });
      mkdirSync(folder.path);
      writeFileSync(path, TACOMA);
      await poll(geofeeds);
      expect([cityOf(geofeeds), await metric("_refused")]).to.deep.equal(["Tacoma", 0]);
    });

  it("that are invalid don't affect others, and don't prevent a start if they are in a folder", async () => {
    const feeds = join(folder.path, "feeds");
    mkdirSync(feeds);
    writeFileSync(join(feeds, "a.csv"), "<html>");
    writeFileSync(join(feeds, "b.csv"), TACOMA);
    const geofeeds = await open([feeds]);
    expect([cityOf(geofeeds), await metric("s"), await metric("_refused")]).to.deep.equal(["Tacoma", 1, 1]);
    expect(lines[0]).to.include({ level: "error", file: join(feeds, "a.csv") });
    rmSync(join(feeds, "a.csv"));
    await poll(geofeeds);
    expect([cityOf(geofeeds), await metric("_refused")]).to.deep.equal(["Tacoma", 0]);
  });

  it("stay in use if their folder can't be read, which is reported", async () => {
    const feeds = join(folder.path, "feeds");
    mkdirSync(feeds);
    writeFileSync(join(feeds, "a.csv"), SEATTLE);
    const geofeeds = await open([feeds]);
    lines.length = 0;
    rmSync(feeds, { recursive: true });
    symlinkSync(feeds, feeds);
    await poll(geofeeds, 4);
    expect([cityOf(geofeeds), await metric("_refused")]).to.deep.equal(["Seattle", 1]);
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "geofeeds are not available",
      "the geofeed was refused; corrections read from it before stay in use",
    ]);
  });

  it("that are named prevent the start if they are unusable, and say what to do", async () => {
    writeFileSync(path, "no\n");
    expect(await refusal(path)).to.match(/cannot be used: none of its lines can be used; line 1: this isn't a prefix/);
    const pipe = join(folder.path, "pipe");
    HOSTILE_FILES["a named pipe"]?.(pipe);
    expect(await refusal(pipe)).to.equal(
      `the geofeed file ${pipe} cannot be read: it is a named pipe, not a regular file`,
    );
    const below = join(path, "below.csv");
    expect(await refusal(below)).to.match(/^the geofeed file .* cannot be read: ENOTDIR/);
  });

  it("never log a prefix", async () => {
    const geofeeds = await opened(SEATTLE);
    writeFileSync(path, "9.8.7.6,US\n9.8.7.6,DE\n9.8.7.5,9.8.7.4\n9.8.7.3/24,US\n2a00:1450::1/64,US\n9.8.7.2/33\n");
    await poll(geofeeds);
    expect(lines).to.have.length(2);
    expect(JSON.stringify(lines)).to.not.match(/9\.8\.7|2a00/);
  });
});
