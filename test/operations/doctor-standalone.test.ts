import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { otherFolderWarning } from "../../scripts/running-services.ts";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const XDG_STATE_HOME = tempFolder();

/** `./geolookup doctor` without naming a service. */
const doctor = (args: readonly string[], environment: Record<string, string> = {}) =>
  runHere(["doctor", ...args], { XDG_STATE_HOME, ...environment });

describe("doctor on services of make start", () => {
  let one: Deployment;
  let other: Deployment;
  const repository = process.cwd();
  // What runs, or was killed, with the folder `data` of this checkout isn't part of these tests.
  before("start two, on free ports and with different settings, and look from another folder", async () => {
    process.chdir(tempFolder());
    [one, other] = await Promise.all([
      startStandalone({ XDG_STATE_HOME, TRUST_PROXY: "loopback" }),
      startStandalone({ XDG_STATE_HOME, TRUST_PROXY: "10.0.0.0/8" }),
    ]);
  });
  after("stop them", async () => {
    process.chdir(repository);
    await Promise.all([one, other].map((each) => each?.[Symbol.asyncDispose]()));
  });

  it("finds both, with their ports, data folders, TRUST_PROXY and databases", async () => {
    const { status, stdout } = await doctor([]);
    expect(stdout).to.match(/No warnings\.\n$/);
    expect(status).to.equal(0);
    for (const [{ url, dataDir }, trustProxy] of [
      [one, "loopback"],
      [other, "10.0.0.0/8"],
    ] as const)
      expect(stdout).to.match(
        new RegExp(
          `API ${url}, docs http.*\n  data folder ${dataDir}; for other commands, set DATA_DIR=${dataDir}\n  TRUST_PROXY is ${trustProxy}\n` +
            "standalone at .*: ready, .*\n( {4}.*\n)* {4}city\\.mmdb: build date",
        ),
      );
  });

  it("explains an address as the service does, with its databases, and says if TRUST_PROXY differs", async () => {
    const args = ["ip", "10.0.0.5", "--x-forwarded-for", "51.7.3.9"];
    const [ofOne, ofOther, changed, both] = await Promise.all([
      doctor(args, { DATA_DIR: one.dataDir }),
      doctor(args, { DATA_DIR: other.dataDir }),
      doctor(args, { DATA_DIR: one.dataDir, TRUST_PROXY: "10.0.0.5" }),
      doctor(args),
    ]);
    expect(ofOne.stdout).to.include("TRUST_PROXY is loopback\n").and.to.include("The caller is 10.0.0.5\n");
    expect(ofOther.stdout).to.include("The caller is 51.7.3.9\n");
    expect(ofOne.stdout).to.include(
      "\n  10.0.0.5 is a private address, which has no location. If it is your proxy's, add",
    );
    expect(ofOther.stdout).to.match(/^ {2}together: .*, GB, /m);
    expect(changed.stdout).to.include("is 10.0.0.5 for this command; the running service has loopback\n");
    expect([both.status, both.stderr]).to.satisfy(
      ([status, text]: [number, string]) => status === 1 && /Set DATA_DIR to the folder of one: .* or /.test(text),
    );
    expect(other.output()).to.not.include("51.7.3.9");
    expect(await doctor(["ip", "10.0.0.5", "--peer", "10.0.0.6"])).to.deep.include({ status: 2, stdout: "" });
  });

  it("are named by commands that work on the default data folder", () => {
    const warning = otherFolderWarning({ XDG_STATE_HOME });
    expect(warning).to.match(/which no running service uses\. For a running one, set DATA_DIR=\S+ or DATA_DIR=\S+$/);
    expect(warning).to.include(one.dataDir).and.include(other.dataDir);
    expect(otherFolderWarning({ XDG_STATE_HOME, DATA_DIR: one.dataDir })).to.equal(null);
  });

  it("give way to the one with the default data folder", async () => {
    symlinkSync(one.dataDir, "data");
    try {
      const { status, stdout } = await doctor(["ip", "10.0.0.5"]);
      expect([status, stdout]).to.satisfy(([code, text]: [number, string]) => code === 0 && /is loopback\n/.test(text));
      expect(otherFolderWarning({ XDG_STATE_HOME })).to.equal(null);
      const before = (await one.keys("list")).length;
      const elsewhere = await runHere(["smoke", other.url.replace("127.0.0.1", "localhost")], { XDG_STATE_HOME });
      expect(elsewhere.stdout, "smoke of another address issues no keys here").to.match(/skip .*--keys FILE/);
      expect((await one.keys("list")).length).to.equal(before);
    } finally {
      rmSync("data");
    }
  });

  it("are named by commands that look in another folder", async () => {
    const settings = { XDG_STATE_HOME, DATA_DIR: tempFolder() };
    const { status, stderr } = await runHere(["rotate", "signing-key"], settings);
    expect(status).to.equal(1);
    expect(stderr).to.include(one.dataDir).and.include(other.dataDir).and.include("unchanged");
  });

  it("refuses a folder in which nothing runs, and names the running ones", async () => {
    const { status, stderr } = await doctor([], { DATA_DIR: tempFolder() });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^doctor: no service is running with the data folder .*\. Services are running with /);
    expect(stderr).to.include(one.dataDir).and.to.include(other.dataDir);
  });

  it("warns about a killed service and a damaged record, and still shows the other one", async () => {
    await one.kill();
    const killed = await doctor([]);
    expect(killed.status).to.equal(1);
    expect(killed.stdout).to.match(/^! the service with the data folder .* ended without a clean stop/m);
    expect(killed.stdout)
      .to.include(`data folder ${other.dataDir}`)
      .and.to.match(/\n1 warning\.\n$/);
    writeFileSync(join(one.dataDir, "service.json"), "{");
    expect((await doctor([])).stdout).to.match(/^! .*service\.json isn't valid\. Restart geolookup to rewrite it$/m);
  });
});
