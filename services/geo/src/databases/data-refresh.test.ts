import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { capturingLog, temporaryFolder } from "../testing/fixtures.ts";
import { followRefresh } from "./data-refresh.ts";
import { REFRESH_FILE } from "./refresh-state.ts";

const STATE = {
  nextRunAt: "2026-11-23T04:17:09.000Z",
  lastRun: { at: "2026-11-22T04:41:00.500Z", outcome: "failed", problem: "the network is unreachable" },
  lastSuccessAt: "2026-11-21T05:00:00.000Z",
  runs: { updated: 2, unchanged: 7, refused: 1, failed: 3 },
  failuresInARow: 1,
};

describe("the state of the data refresh on a geo node", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let registry: Registry;
  beforeEach(() => {
    folder = temporaryFolder("refresh");
    registry = new Registry();
  });
  afterEach(() => folder.remove());

  const write = (text: string) => {
    writeFileSync(join(folder.path, "new"), text);
    renameSync(join(folder.path, "new"), join(folder.path, REFRESH_FILE));
  };
  /** The samples of the refresh's metrics. */
  const samples = async () => {
    const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("geolookup_geo_refresh_"));
    return lines.map((line) => line.replace("geolookup_geo_refresh_", "")).sort();
  };
  const SAMPLES = [
    "failing 1",
    "last_run_timestamp_seconds 1795322460",
    "last_success_timestamp_seconds 1795237200",
    "next_run_timestamp_seconds 1795407429",
    'runs_total{outcome="failed"} 3',
    'runs_total{outcome="refused"} 1',
    'runs_total{outcome="unchanged"} 7',
    'runs_total{outcome="updated"} 2',
  ];

  it("is read at the start and followed, even while the file is damaged or missing", async () => {
    const { log, lines } = capturingLog();
    write(JSON.stringify(STATE));
    const refresh = await followRefresh({ installedIn: folder.path, isRefreshed: true }, registry, log);
    expect(refresh.refreshing()).to.deep.equal({ state: STATE });
    expect(await samples()).to.deep.equal(SAMPLES);
    const polls = async () => {
      for (let poll = 0; poll < 3; poll++) await refresh.poll();
    };
    for (const text of ["", "{}", JSON.stringify({ ...STATE, nextRunAt: "soon" })]) {
      write(text);
      await polls();
      expect(refresh.refreshing(), text).to.deep.equal({ state: STATE });
    }
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal(
      Array(3).fill("warn state of the geo data refresh is unreadable"),
    );
    const succeeded = { ...STATE, lastRun: { ...STATE.lastRun, outcome: "updated", problem: null } };
    write(JSON.stringify(succeeded));
    await polls();
    expect(refresh.refreshing()).to.deep.equal({ state: succeeded });
    expect(await samples()).to.include("failing 0");
    rmSync(join(folder.path, REFRESH_FILE));
    await polls();
    expect(refresh.refreshing()).to.deep.equal({ state: null });
  });

  for (const [what, choice, expected] of [
    ["nothing before the first run", { isRefreshed: true }, { state: null }],
    ["that it is off", { isRefreshed: false }, "off"],
    ["that the operator has the files", { files: [] }, "files"],
  ] as const)
    it(`is ${what}, without samples in the metrics`, async () => {
      const { log } = capturingLog();
      const refresh = await followRefresh({ installedIn: folder.path, ...choice }, registry, log);
      await refresh.poll();
      expect(refresh.refreshing()).to.deep.equal(expected);
      expect(await samples()).to.deep.equal([]);
    });
});
