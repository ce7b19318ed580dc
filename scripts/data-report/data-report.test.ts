import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { databaseIn, install, NZ } from "@geolookup/geo-data/testing/install.ts";
import { dataReport } from "@geolookup/shared/domain/data-report.ts";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";

/** A report is work of low priority: beside other suites, its threads get little of the CPU. */
const TIMEOUT_MS = 120_000;

describe("data-report", () => {
  let dataDir: string;
  let folder: string;
  beforeEach(() => {
    dataDir = tempFolder();
    folder = join(dataDir, "geo");
  });

  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runHere(["data", "report", ...args], { DATA_DIR: dataDir, ...environment });

  async function keptReports(): Promise<unknown[]> {
    const names = await readdir(join(folder, "reports"));
    return names.map((name) => JSON.parse(readFileSync(join(folder, "reports", name), "utf8")));
  }

  it("reports on the installed data and what changed since the previous version, and keeps it for the console", async () => {
    await install(folder, [["20.0.0.0/24", NZ]]);
    await install(folder, [
      ["20.0.0.0/25", NZ],
      ["20.0.0.128/25", { ...NZ, city: "Outport" }],
    ]);
    const { status, stdout, stderr } = await run(["--json"]);
    expect([status, stderr]).to.deep.equal([0, ""]);
    const report = dataReport.parse(JSON.parse(stdout));
    expect(report.coverage.all.ipv4.total).to.deep.equal([2, 256]);
    expect(report.changes?.since).to.equal("v1");
    expect(report.changes?.all.ipv4.fields.city).to.deep.equal([1, 128]);
    expect(await keptReports()).to.deep.equal([report]);
  });

  it("prints text, and writes an escaped page with the credits that loads nothing", async () => {
    const path = databaseIn(tempFolder(), "dbip-city-<b>.mmdb", "city", [["20.0.0.0/24", NZ]]);
    const page = join(dataDir, "report.html");
    const { status, stdout } = await run(["--html", page, "--compare", path], { GEO_DATABASES: path });
    expect(status).to.equal(0);
    expect(stdout).to.match(/^ {2}city +100% +n\/a +100% +n\/a$/m);
    expect(stdout).to.match(/^ {2}postalCode +0% /m);
    expect(stdout).to.match(/^ {2}same city +100% /m);
    expect(stdout).to.include("no older installed version").and.include("IP Geolocation by DB-IP, CC BY 4.0");
    const html = readFileSync(page, "utf8");
    expect(html).to.include("https://db-ip.com").and.include("dbip-city-&#60;b&#62;.mmdb");
    expect(html).to.not.match(/<script|<link|<img|\ssrc=|@import|url\(/);
    expect((await run(["--html=-"], { GEO_DATABASES: path })).stdout).to.match(/^<!doctype html>/);
  });

  it("names files that it can't use", async () => {
    const good = databaseIn(dataDir, "city.mmdb", "city", [["20.0.0.0/24", NZ]]);
    const networks = databaseIn(dataDir, "asn.mmdb", "asn", [["20.0.0.0/24", { autonomous_system_number: 64_500 }]]);
    const damaged = databaseIn(dataDir, "damaged.mmdb", "city", [["20.0.0.0/24", NZ]]);
    truncateSync(damaged, 100);
    const cases: [args: string[], environment: Record<string, string>, status: number, problem: RegExp][] = [
      [[], {}, 1, /^data: there is no geo data in .*geo; run ".\/geolookup data fetch"/],
      [[], { GEO_DATABASES: damaged }, 1, /damaged\.mmdb cannot be used: it isn't a MaxMind DB, or it is cut off/],
      [["--compare", "no-such.mmdb"], { GEO_DATABASES: good }, 1, /no-such\.mmdb is missing/],
      [["--compare", networks], { GEO_DATABASES: good }, 1, /asn\.mmdb has no locations to compare/],
      [["--compare", good], { GEO_DATABASES: networks }, 1, /the geo data in use has no locations to compare/],
      [["--html", join(dataDir, "none", "x.html")], { GEO_DATABASES: good }, 1, /no such file or directory/],
      [["--compare", ","], {}, 2, /--compare needs the path of a database/],
      [["--json", "--html=-"], {}, 2, /choose one/],
      [["--csv"], {}, 2, /unknown option '--csv'\nFor help: geolookup data report --help/],
      [["city.mmdb"], {}, 2, /too many arguments/],
    ];
    for (const [args, environment, status, problem] of cases) {
      const result = await run(args, environment);
      expect(result.stderr, args.join(" ")).to.match(problem);
      expect(result.status).to.equal(status);
    }
  });

  it("works if the previous version is damaged, and if the report can't be stored", async () => {
    await install(folder, [["20.0.0.0/24", NZ]]);
    await install(folder, [["20.0.0.0/25", NZ]]);
    writeFileSync(join(folder, "versions/v1/city.mmdb"), "");
    writeFileSync(join(folder, "reports"), "");
    const { status, stdout, stderr } = await run([]);
    expect(status).to.equal(0);
    expect(stdout).to.include("no older installed version");
    expect(stderr).to.match(/can't report what changed since v1: .*it is empty/);
    expect(stderr).to.match(/the report wasn't stored for the operator console: /);
  });
}).timeout(TIMEOUT_MS);
