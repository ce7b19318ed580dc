import { existsSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harmlessDatabase, slowDatabase, writeHostileDatabases } from "@geolookup/geo/testing/hostile-databases.ts";
import { expect } from "chai";
import { type Child, logLines } from "../harness/child.ts";
import { startService } from "../harness/service.ts";
import { baseSettings } from "../harness/settings.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TIMEOUT_MS = 120_000;
const DEADLINE_MS = 30_000;
/** One that costs time and one that never ends. services/geo tests all of them. */
const HOSTILE = ["billion laughs in a record", "a named pipe"];

function startGeo(database: string): Child {
  const settings = { ...baseSettings(), DATA_DIR: tempFolder(), GEO_DATABASES: database };
  return startService("geo", settings);
}

describe("a geo process started with a hostile database", () => {
  const paths = writeHostileDatabases(tempFolder());
  for (const name of HOSTILE)
    it(`doesn't start with ${name}, and says why in one line`, async () => {
      const geo = startGeo(paths[name] ?? "");
      const timer = setTimeout(() => geo.kill("SIGKILL"), DEADLINE_MS);
      expect(await geo.exited, geo.stderr()).to.equal(1);
      clearTimeout(timer);
      const said = geo.stderr().split("\n");
      const lines = said.filter((line) => line !== "" && !line.startsWith("{"));
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include(`the database file ${paths[name]} cannot be used: it`);
    }).timeout(TIMEOUT_MS);
});

describe("a running process whose database is replaced by a hostile one", () => {
  it("refuses it, keeps serving its data, and stops on SIGTERM", async function () {
    this.timeout(TIMEOUT_MS);
    const folder = tempFolder();
    const path = join(folder, "towns.mmdb");
    writeFileSync(path, harmlessDatabase());
    const running = await startStandalone({ GEO_DATABASES: path, KEYLESS_LIMIT: "1000000" });
    const hostile = writeHostileDatabases(folder);
    const refusals = () =>
      logLines(running.output()).filter(({ msg }) => String(msg).startsWith("the changed database was refused")).length;
    try {
      for (const [index, name] of HOSTILE.entries()) {
        symlinkSync(hostile[name] ?? "", `${path}.new`);
        renameSync(`${path}.new`, path);
        const isRefused = async () => {
          const { status, json } = await running.send({ from: "20.0.7.1" });
          expect([status, json.country], name).to.deep.equal([200, "NZ"]);
          return refusals() > index;
        };
        await waitFor(`the refusal of ${name}`, isRefused, DEADLINE_MS);
      }
    } finally {
      await running.stop();
    }
  });
});

describe("SIGTERM while a database is checked", () => {
  it("stops a start", async function () {
    this.timeout(TIMEOUT_MS);
    const dataDir = tempFolder();
    const path = join(dataDir, "slow.mmdb");
    writeFileSync(path, slowDatabase());
    const standalone = startService("standalone", {
      ...baseSettings(),
      DATA_DIR: join(dataDir, "data"),
      GEO_DATABASES: path,
    });
    await waitFor("the start to be in progress", () => existsSync(join(dataDir, "data")), DEADLINE_MS);
    expect(await standalone.stop(), standalone.stderr()).to.equal(0);
    expect(standalone.stderr()).to.not.match(/"msg":"ready"|did not close/);
  });
});
