import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REFRESH_FILE, readRefreshState } from "@geolookup/geo/databases/refresh-state.ts";
import { capturingLog } from "@geolookup/geo/testing/fixtures.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { RetryLaterError } from "../download/fetch-persistently.ts";
import { RefusedDataError } from "../fetch/refused-data-error.ts";
import type { RunResult } from "../run-once.ts";
import { installFirst, keepRefreshing } from "./keep-refreshing.ts";
import { recordRun } from "./record-run.ts";

describe("the first data of a geo data server", () => {
  it("is retried after 30 s, and half as often after each further failure, until it is installed", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms / 1_000);
    let runs = 0;
    const run = async () => {
      runs++;
      if (runs < 11) throw new StartError("no vendor can be reached");
    };
    await installFirst(run, { log: createLog("geo-data", "fatal"), wait });
    expect(runs).to.equal(11);
    expect(waits).to.deep.equal([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it("isn't retried after a failure that the operator can't fix", async () => {
    const failing = async () => {
      throw new TypeError("a bug");
    };
    const result = installFirst(failing, { log: createLog("geo-data", "fatal"), wait: async () => {} });
    expect(await result.catch((error: Error) => error.message)).to.equal("a bug");
  });
});

const START = Date.UTC(2026, 10, 22, 4);
const HOUR_MS = 3_600_000;
/** A version whose only file was built some days before the start. */
const stored = (days: number) => {
  const files = [{ name: "city.mmdb", sha256: "", buildUnixSeconds: START / 1_000 - days * 86_400 }];
  const source = { name: "city", version: "1", files, integrity: "", attribution: "", attributionUrl: "" };
  // Spelled as in the files of version 0.1. cspell:ignore licence
  const recorded = { ...source, licence: "", fetchedAt: "2026-11-22T04:00:00Z", lastModified: null };
  return { version: "v7", installedAt: "2026-11-22T04:00:00Z", sources: [recorded] };
};

/** A refresh on a simulated clock: waiting takes no time, and ends after some hours. */
function clockedRefresh(folder = tempFolder()) {
  const { log, lines } = capturingLog();
  const clock = { now: START, end: START };
  /** Hours after the start at which there was a run. */
  const ranAt: number[] = [];
  const results: (Partial<RunResult> | Error)[] = [];
  const run = async (hours: number) => {
    clock.end = clock.now + hours * HOUR_MS;
    const ended = await keepRefreshing({
      folder,
      refresh: async () => {
        ranAt.push((clock.now - START) / HOUR_MS);
        const result = results.shift() ?? {};
        if (result instanceof Error) throw result;
        return { outcome: "unchanged", stored: stored(20), problems: [], ...result };
      },
      log,
      now: () => clock.now,
      random: () => 0.5,
      wait: async (ms) => {
        clock.now += ms;
        await refresh.onWait();
        if (clock.now >= clock.end) throw new Error("ended");
      },
    }).catch((error: Error) => error);
    expect(ended.message).to.equal("ended");
  };
  const refresh = {
    folder,
    clock,
    ranAt,
    results,
    lines,
    run,
    state: () => readRefreshState(folder),
    onWait: async () => {},
  };
  return refresh;
}

describe("keepRefreshing", () => {
  it("runs once a day, and logs the result and the time of the next run", async () => {
    const refresh = clockedRefresh();
    refresh.results.push({ outcome: "updated" });
    await refresh.run(60);
    expect(refresh.ranAt).to.deep.equal([0, 24, 48]);
    expect(refresh.lines.map(({ level, msg, outcome, version }) => [level, msg, outcome, version])).to.deep.equal([
      ["info", "geo data refresh succeeded", "updated", "v7 (city 1)"],
      ["info", "geo data refresh succeeded", "unchanged", "v7 (city 1)"],
      ["info", "geo data refresh succeeded", "unchanged", "v7 (city 1)"],
    ]);
    expect(await refresh.state()).to.deep.include({
      nextRunAt: "2026-11-25T04:00:00.000Z",
      lastSuccessAt: "2026-11-24T04:00:00.000Z",
      runs: { updated: 1, unchanged: 2, refused: 0, failed: 0 },
    });
  });

  it("backs off after failures, and waits a day after refused data", async () => {
    const refresh = clockedRefresh();
    const failure = () => new StartError("cannot download it\nat all");
    refresh.results.push(failure(), failure(), failure(), new RefusedDataError("it is older"), new TypeError("a bug"));
    await refresh.run(34);
    expect(refresh.ranAt).to.deep.equal([0, 1.25, 3.75, 8.75, 32.75]);
    expect(refresh.lines.map(({ level, outcome, problem }) => [level, outcome, problem])).to.deep.equal([
      ...Array(3).fill(["info", "failed", "cannot download it at all"]),
      ["warn", "refused", "it is older; it wasn't installed (--force installs it), and the old data stays in use"],
      ["info", "failed", "TypeError: a bug"],
    ]);
    expect(await refresh.state()).to.deep.include({
      lastSuccessAt: null,
      runs: { updated: 0, unchanged: 0, refused: 1, failed: 4 },
      failuresInARow: 1,
    });
  });

  it("counts old data as a failure if better sources are unreachable, but not recent data", async () => {
    const refresh = clockedRefresh();
    const problems = ["download.example could not be reached", "files.example could not be reached"];
    refresh.results.push({ problems, stored: stored(169) }, { problems, outcome: "updated" }, { problems });
    await refresh.run(30);
    expect(refresh.lines.map(({ outcome, problem }) => [outcome, problem ?? null])).to.deep.equal([
      ["failed", "download.example could not be reached; files.example could not be reached"],
      ["updated", null],
      ["unchanged", null],
    ]);
  });

  it("waits as long as a publisher asks", async () => {
    const refresh = clockedRefresh();
    refresh.results.push(new RetryLaterError("it responded with 429", START + 9 * HOUR_MS));
    await refresh.run(10);
    expect(refresh.ranAt).to.deep.equal([0, 9]);
  });

  it("keeps its schedule across restarts", async () => {
    const refresh = clockedRefresh();
    for (let start = 0; start < 30; start++) await refresh.run(1);
    expect(refresh.ranAt).to.deep.equal([0, 24]);
  });

  it("counts a manual update as a run, and waits a day after it", async () => {
    const refresh = clockedRefresh();
    await refresh.run(10);
    const result = { outcome: "updated" as const, stored: stored(1), problems: [] };
    const byHand = async (update: () => Promise<RunResult>) =>
      recordRun(update, { folder: refresh.folder, now: () => refresh.clock.now, random: () => 0.5 });
    refresh.onWait = async () => {
      refresh.onWait = async () => {};
      await byHand(async () => result);
    };
    await refresh.run(30);
    expect(refresh.ranAt.map(Math.round)).to.deep.equal([0, 34]);
    expect((await refresh.state()).runs).to.include({ updated: 1, unchanged: 2 });
    const { error } = await byHand(() => Promise.reject(new StartError("bad configuration:\n  GEO_DATA_URL: is bad")));
    expect(error).to.be.instanceOf(StartError);
    expect((await refresh.state()).lastRun).to.include({ problem: "bad configuration: GEO_DATA_URL: is bad" });
  });

  it("runs as soon as possible after a long stop or sleep", async () => {
    const refresh = clockedRefresh();
    await refresh.run(1);
    refresh.clock.now += 100 * HOUR_MS;
    await refresh.run(1);
    expect(refresh.ranAt).to.deep.equal([0, 101]);
  });

  for (const text of ["", "{}", '{"nextRunAt":"never"}'])
    it(`starts from the beginning if its state is ${JSON.stringify(text)}`, async () => {
      const refresh = clockedRefresh();
      writeFileSync(join(refresh.folder, REFRESH_FILE), text);
      await refresh.run(1);
      expect(refresh.ranAt).to.deep.equal([0]);
      expect((await refresh.state()).runs.unchanged).to.equal(1);
    });

  it("keeps its schedule in memory when its state can't be saved", async () => {
    const refresh = clockedRefresh();
    mkdirSync(join(refresh.folder, REFRESH_FILE));
    await refresh.run(30);
    expect(refresh.ranAt).to.deep.equal([0, 24]);
    expect(refresh.lines.map(({ msg }) => msg)).to.include("geo data refresh: state not saved");
  });
});
