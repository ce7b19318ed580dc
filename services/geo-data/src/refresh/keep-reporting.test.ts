import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseDatabases } from "@geolookup/geo/databases/installed-databases.ts";
import { capturingLog } from "@geolookup/geo/testing/fixtures.ts";
import { dataReport } from "@geolookup/shared/domain/data-report.ts";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { databaseIn, install, NZ } from "../testing/install.ts";
import { keepReporting } from "./keep-reporting.ts";

const FIRST = ["20.0.0.0/24", NZ] as const;
const SECOND = ["20.0.1.0/24", NZ] as const;

describe("keepReporting", () => {
  let dataDir: string;
  let folder: string;
  let log: ReturnType<typeof capturingLog>;
  beforeEach(() => {
    dataDir = tempFolder();
    folder = join(dataDir, "geo");
    log = capturingLog();
  });

  /** Runs on a simulated clock for a number of seconds. @param at actions, by second. */
  async function run(files: string[] | undefined, seconds: number, at: Record<number, () => unknown> = {}) {
    const startMs = Date.UTC(2026, 10, 22);
    let nowMs = startMs;
    const ended = await keepReporting({
      choice: chooseDatabases(files, dataDir, false),
      log: log.log,
      now: () => nowMs,
      wait: async (ms) => {
        nowMs += ms;
        if (nowMs - startMs > seconds * 1_000) throw new Error("ended");
        await at[(nowMs - startMs) / 1_000]?.();
      },
    }).catch((error: Error) => error);
    expect(ended.message).to.equal("ended");
  }

  const messages = () => log.lines.map(({ msg }) => msg);
  const keptReports = () => {
    const reports = join(folder, "reports");
    return readdirSync(reports).map((name) => dataReport.parse(JSON.parse(readFileSync(join(reports, name), "utf8"))));
  };

  it("computes one report per version: after the start, an update and a rollback to a version without a report", async () => {
    await install(folder, [[...FIRST]]);
    const current = join(folder, "current.json");
    const first = readFileSync(current);
    await install(folder, [[...FIRST], [...SECOND]]);
    await run(undefined, 120, {
      45: () => install(folder, [[...SECOND]]),
      75: () => writeFileSync(current, first),
    });
    expect(messages()).to.deep.equal(Array.from({ length: 3 }, () => "data report made"));
    const networksAndSince = keptReports().map(({ coverage, changes }) => [coverage.all.ipv4.total[0], changes?.since]);
    expect(networksAndSince).to.have.deep.members([
      [2, "v1"],
      [1, "v2"],
      [1, undefined],
    ]);
    await run(undefined, 60);
    expect(messages(), "after a restart").to.have.length(3);
  });

  it("reports on the files in GEO_DATABASES, and retries an hour after a failure, or when a file changes", async () => {
    const path = join(dataDir, "city.mmdb");
    await run([path], 4_000);
    expect(messages()).to.deep.equal(Array.from({ length: 2 }, () => "data report failed; trying again in an hour"));
    expect(log.lines[0]?.problem).to.include("city.mmdb is missing");
    await run([path], 120, { 45: () => databaseIn(dataDir, "city.mmdb", "city", [[...FIRST]]) });
    expect(messages().at(-1)).to.equal("data report made");
    expect(keptReports().map(({ databases }) => databases[0]?.name)).to.deep.equal(["city.mmdb"]);
  });
});
