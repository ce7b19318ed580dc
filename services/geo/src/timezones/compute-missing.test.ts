import { existsSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { openFiles } from "../databases/open-files.ts";
import { openLocator } from "../lookup/locator.ts";
import { float, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { addressOf } from "../testing/address-of.ts";
import { capturingLog, temporaryFolder, until } from "../testing/fixtures.ts";
import { computeMissingTimezones } from "./compute-missing.ts";
import { METHOD } from "./table-file.ts";

/** Renmark is in South Australia, near Victoria, where the grid has it. */
const RENMARK: MmdbValue = { country_code: "AU", latitude: float(-34.17), longitude: float(140.75), timezone: "" };
const BY_POLYGON = "Australia/Adelaide";
const BY_GRID = "Australia/Melbourne";

const ENTRIES: [string, MmdbValue][] = [
  ["20.0.0.0/24", RENMARK],
  ["20.0.1.0/24", { ...RENMARK, timezone: "Australia/Perth" }],
  ["20.0.2.0/24", { ...RENMARK, timezone: "Europe/Berlin" }],
  ["20.0.3.0/24", { country_code: "FR", latitude: float(48.86), longitude: float(2.35), timezone: "" }],
];

describe("computed time zones", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let tables: string;
  let reports: string[];
  const report = {
    onComputed: (_: string, records: number) => reports.push(`computed ${records}`),
    onFailed: (_: string, problem: string) => reports.push(`failed: ${problem}`),
    onNotStored: (_: string, problem: string) => reports.push(`not stored: ${problem.split(":")[0]}`),
  };
  const open = () => openFiles([path], { timezonesFolder: tables });
  const zoneOf = async (files: ReturnType<typeof open>, ip = "20.0.0.1") =>
    (await files)[0]?.database.find(addressOf(ip))?.finding.computedTimezone;

  beforeEach(() => {
    folder = temporaryFolder("timezones");
    path = join(folder.path, "city.mmdb");
    tables = join(folder.path, "time-zones");
    reports = [];
    writeFileSync(path, buildMmdb({ databaseType: "city", ipVersion: 6, recordSize: 24, entries: ENTRIES }));
  });
  afterEach(() => folder.remove());

  it("are used, stored, and reused at the next start", async () => {
    const files = await open();
    expect(files[0]?.database.hasTimezones()).to.equal(false);
    expect(await zoneOf(open())).to.equal(null);
    await computeMissingTimezones(files, tables, report);
    // Only those that a vendor doesn't state and a country doesn't imply.
    expect(reports).to.deep.equal(["computed 2"]);
    expect(files[0]?.database.find(addressOf("20.0.0.1"))?.finding.computedTimezone).to.equal(BY_POLYGON);
    expect(files[0]?.database.find(addressOf("20.0.3.1"))?.finding.computedTimezone).to.equal(null);
    const again = await open();
    expect(again[0]?.database.hasTimezones()).to.equal(true);
    expect(await zoneOf(open(), "20.0.2.1")).to.equal(BY_POLYGON);
    await computeMissingTimezones(again, tables, report);
    expect(reports).to.have.length(1);
  });

  it("are computed again if the stored ones are damaged or from another method", async () => {
    await computeMissingTimezones(await open(), tables, report);
    const stored = join(tables, readdirSync(tables)[0] as string);
    const good = readFileSync(stored);
    for (const bytes of [
      good.subarray(0, -1),
      Buffer.from(good.toString("latin1").replace(METHOD, "another"), "latin1"),
    ]) {
      writeFileSync(stored, bytes);
      expect(await zoneOf(open())).to.equal(null);
      await computeMissingTimezones(await open(), tables, report);
      expect(readFileSync(stored)).to.deep.equal(good);
    }
    expect(reports).to.deep.equal(["computed 2", "computed 2", "computed 2"]);
  });

  it("are used without being stored if the folder isn't writable", async () => {
    writeFileSync(tables, "a file, so no folder");
    const files = await open();
    await computeMissingTimezones(files, tables, report);
    expect(await zoneOf(Promise.resolve(files))).to.equal(BY_POLYGON);
    expect(reports).to.deep.equal(["computed 2", "not stored: EEXIST"]);
  });

  it("need no thread if records have them or countries imply them", async () => {
    const entries = ENTRIES.filter((_, index) => index === 1 || index === 3);
    writeFileSync(path, buildMmdb({ databaseType: "city", ipVersion: 6, recordSize: 24, entries }));
    const files = await open();
    writeFileSync(path, "gone, so a thread could not read it");
    await computeMissingTimezones(files, tables, report);
    expect(reports).to.deep.equal([]);
    expect(files[0]?.database.hasTimezones()).to.equal(true);
    expect(readdirSync(tables)).to.have.length(1);
  });

  it("aren't computed from a file that was replaced in the meantime", async () => {
    const files = await open();
    writeFileSync(path, buildMmdb({ databaseType: "city", ipVersion: 6, recordSize: 28, entries: ENTRIES }));
    await computeMissingTimezones(files, tables, report);
    expect(reports).to.deep.equal(["failed: the file has changed"]);
    expect(existsSync(tables)).to.equal(false);
  });

  it("are kept for the eight most recently used databases", async () => {
    await computeMissingTimezones(await open(), tables, report);
    const oldest = readdirSync(tables)[0] as string;
    for (let other = 0; other < 8; other++) writeFileSync(join(tables, `${other}.zones`), "");
    utimesSync(join(tables, oldest), 0, 0);
    writeFileSync(path, buildMmdb({ databaseType: "city", ipVersion: 6, recordSize: 28, entries: ENTRIES }));
    await computeMissingTimezones(await open(), tables, report);
    expect(readdirSync(tables)).to.have.length(8).and.not.include(oldest);
  });

  it("replace the grid's in a running locator, but not a vendor's", async () => {
    const { log, lines } = capturingLog();
    const databases = { files: [path], timezonesFolder: tables };
    await using locator = await openLocator({
      ...{ databases, log, registry: new Registry() },
      ...{ pollIntervalMs: 5, timezonesDelayMs: 0 },
    });
    const computed = () => lines.filter(({ msg }) => msg === "time zones computed").length;
    const zone = (ip: string) => locator.locatePlace(ip).place.timezone;
    expect(zone("20.0.0.1")).to.equal(BY_GRID);
    const revisionBefore = locator.dataRevision();
    await until(() => computed() === 1, "the time zones");
    expect(zone("20.0.0.1")).to.equal(BY_POLYGON);
    expect(locator.dataRevision(), "gateways clear their caches").to.equal(revisionBefore + 1);
    expect(zone("20.0.1.1"), "stated").to.equal("Australia/Perth");
    expect(zone("20.0.2.1"), "stated, in another country").to.equal(BY_POLYGON);
    expect(zone("20.0.3.1"), "the only one").to.equal("Europe/Paris");
    writeFileSync(`${path}.new`, buildMmdb({ databaseType: "city", ipVersion: 6, recordSize: 28, entries: ENTRIES }));
    renameSync(`${path}.new`, path);
    await until(() => computed() === 2, "those of the new file");
    expect(zone("20.0.0.1")).to.equal(BY_POLYGON);
  });

  it("are stored by a running locator, and used by the next one from its start", async () => {
    const { log, lines } = capturingLog();
    const options = { databases: { files: [path], timezonesFolder: tables }, log, timezonesDelayMs: 0 };
    const computed = () => lines.filter(({ msg }) => msg === "time zones computed").length;
    {
      await using _first = await openLocator({ ...options, registry: new Registry() });
      await until(() => computed() === 1, "the time zones");
    }
    await using next = await openLocator({ ...options, registry: new Registry() });
    expect(next.locatePlace("20.0.0.1").place.timezone).to.equal(BY_POLYGON);
    expect(computed()).to.equal(1);
  });
});
