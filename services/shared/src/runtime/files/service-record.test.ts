import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import {
  isRunning,
  listServiceFolders,
  readServiceRecord,
  recordFile,
  recordService,
  type ServiceRecord,
  servicesFolder,
} from "./service-record.ts";

const fail = (error: Error) => {
  throw error;
};
const recordOf = (dataDir: string): ServiceRecord => ({
  mode: "standalone",
  pid: process.pid,
  dataDir,
  url: "http://127.0.0.1:9000",
  docsUrl: "http://docs.localhost:9000",
  variables: { OPS_TARGETS: "standalone=127.0.0.1:9464", TRUST_PROXY: "10.0.0.0/8" },
});

describe("service records", () => {
  it("are readable only by their owner, listed while the service runs, and removed afterwards", async () => {
    const dataDir = tempFolder();
    const services = servicesFolder({ XDG_STATE_HOME: tempFolder() });
    const recorded = await recordService(recordOf(dataDir), services, fail);
    expect(statSync(recordFile(dataDir)).mode & 0o777).to.equal(0o600);
    expect(readServiceRecord(dataDir)).to.deep.equal(recordOf(dataDir));
    expect(listServiceFolders(services)).to.deep.equal([dataDir]);
    recorded[Symbol.dispose]();
    expect(readServiceRecord(dataDir)).to.equal(null);
    expect(listServiceFolders(services)).to.deep.equal([]);
  });

  it("are written even if the service can't be listed", async () => {
    const dataDir = tempFolder();
    const file = join(dataDir, "a-file");
    writeFileSync(file, "");
    let reason: Error | undefined;
    const onUnlisted = (error: Error) => {
      reason = error;
    };
    await recordService(recordOf(dataDir), join(file, "services"), onUnlisted);
    expect(reason?.message).to.include(file);
    expect(readServiceRecord(dataDir)?.url).to.equal("http://127.0.0.1:9000");
    expect(listServiceFolders(join(file, "services"))).to.deep.equal([]);
  });

  const valid = recordOf("/srv/geo");
  for (const [what, content] of [
    ["garbage", "\u0000\u0001"],
    ["nothing", ""],
    ["a process group for a process", JSON.stringify({ ...valid, pid: -1 })],
    ["too much text", `${JSON.stringify(valid)}${" ".repeat(70_000)}`],
    ["a variable that isn't text", JSON.stringify({ ...valid, variables: { GEO_URL: ["a"] } })],
  ] as const)
    it(`with ${what} are refused`, () => {
      const dataDir = tempFolder();
      writeFileSync(recordFile(dataDir), content);
      expect(() => readServiceRecord(dataDir)).to.throw(/service\.json isn't valid\. .*restart geolookup/i);
    });

  it("give commands only known variables, and can't be folders", () => {
    const dataDir = tempFolder();
    writeFileSync(recordFile(dataDir), JSON.stringify({ ...valid, variables: { NODE_OPTIONS: "--require=x" } }));
    expect(readServiceRecord(dataDir)?.variables).to.deep.equal({});
    const other = tempFolder();
    mkdirSync(recordFile(other));
    expect(() => readServiceRecord(other)).to.throw("isn't valid");
  });

  it("skip listed folders that aren't absolute paths, and ignore a relative XDG_STATE_HOME", () => {
    const services = tempFolder();
    writeFileSync(join(services, "a"), "data\n");
    writeFileSync(join(services, "b"), "/srv/../etc\n");
    writeFileSync(join(services, "c"), "/srv/geo\n");
    expect(listServiceFolders(services)).to.deep.equal(["/srv/geo"]);
    expect(servicesFolder({ XDG_STATE_HOME: "state" })).to.equal(servicesFolder({}));
  });

  it("count as running while the process exists, even if it is another user's", () => {
    expect(isRunning({ pid: process.pid })).to.equal(true);
    expect(isRunning({ pid: 1 })).to.equal(true);
    expect(isRunning({ pid: 2 ** 31 - 1 })).to.equal(false);
  });
});
