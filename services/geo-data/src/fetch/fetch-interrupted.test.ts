import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { FILES, type GeoDataFixture, openGeoData } from "../testing/geo-data-fixture.ts";
import { IMPATIENCE } from "../testing/geo-data-on-disk.ts";

const RUN_ONCE = new URL("../run-once.ts", import.meta.url).href;

describe("fetchGeoData after a failure of the network or the process", () => {
  let geoData: GeoDataFixture;
  beforeEach(async () => {
    geoData = await openGeoData();
  });
  afterEach(() => geoData[Symbol.asyncDispose]());

  it("retries a truncated body, and gives up if it is always truncated", async () => {
    let tries = 0;
    geoData.registry.behavior.serveTarball = (res, tarball) => {
      tries++;
      res.setHeader("content-length", tarball.length);
      res.write(tarball.subarray(0, tarball.length / 2), () => res.destroy());
      return true;
    };
    expect(await geoData.failure()).to.match(/cannot download .*check the network/);
    expect(tries).to.equal(2);
    expect(geoData.files()).to.deep.equal([]);
  });

  it("retries after a connection breaks", async () => {
    let tries = 0;
    geoData.registry.behavior.serveTarball = (res) => {
      if (tries++ > 0) return false;
      res.destroy();
      return true;
    };
    await geoData.run();
    expect(geoData.files()).to.deep.equal(FILES);
  });

  it("names the folder and the space needed if the disk is full", async () => {
    const fetch = async () => {
      // Every write to it fails as on a full disk.
      await writeFile("/dev/full", "x");
      return { lastModified: null };
    };
    const find = async () => ({ version: "1", integrity: "1", fetch });
    const part = { name: "part", files: [], databaseType: "", license: "", find };
    const message = await geoData.failure({ vendor: { name: "vendor", isDefault: false, parts: [part] } });
    expect(message).to.match(
      /^the disk of \S+ is full: \d+ MB are free, and an update needs about \d+ MB; nothing was changed/,
    );
    expect(message).to.include(geoData.folder);
  });

  it("waits for a slow server that keeps sending", async () => {
    geoData.registry.behavior.serveTarball = (res, tarball) => {
      const parts = 6;
      let sent = 0;
      const timer = setInterval(() => {
        res.write(tarball.subarray((tarball.length * sent) / parts, (tarball.length * (sent + 1)) / parts));
        if (++sent < parts) return;
        clearInterval(timer);
        res.end();
      }, 100);
      return true;
    };
    await geoData.run({ patience: { ...IMPATIENCE, attempts: 1, silenceMs: 400 } });
    expect(geoData.files()).to.deep.equal(FILES);
  });

  it("removes the files of an interrupted run", async () => {
    mkdirSync(join(geoData.folder, ".download", "deep"), { recursive: true });
    writeFileSync(join(geoData.folder, ".download", "package.tgz"), "half");
    await geoData.run();
    expect(geoData.leftovers()).to.deep.equal([]);
    expect(geoData.files()).to.deep.equal(FILES);
  });

  for (const signal of ["SIGINT", "SIGKILL"] as const)
    it(`leaves no incomplete file under its final name after ${signal}, and the next run completes the data`, async () => {
      const { promise: halfway, resolve } = Promise.withResolvers<void>();
      geoData.registry.behavior.serveTarball = (res, tarball) => {
        res.setHeader("content-length", tarball.length);
        res.write(tarball.subarray(0, tarball.length / 2), () => resolve());
        return true;
      };
      const data = join(geoData.folder, "..");
      const pinsFile = join(data, "pins.json");
      writeFileSync(pinsFile, JSON.stringify(geoData.pins()));
      const environment = { GEO_DATA_SOURCE: "npm", npm_config_registry: geoData.registry.url };
      const options = { folder: geoData.folder, environment, refetch: "no", by: "person", overrides: { pinsFile } };
      const script = `const { runOnce } = await import(${JSON.stringify(RUN_ONCE)});
        await runOnce({ ...${JSON.stringify(options)}, now: Date.now, say() {} });`;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "ignore" });
      const ended = new Promise((done) => child.on("exit", (_code, by) => done(by)));
      await halfway;
      child.kill(signal);
      expect(await ended).to.equal(signal);
      expect(geoData.files()).to.deep.equal([]);
      geoData.registry.behavior.serveTarball = () => false;
      await geoData.run();
      expect(geoData.files()).to.deep.equal(FILES);
      expect(geoData.leftovers()).to.deep.equal([]);
    });
});
