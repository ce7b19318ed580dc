import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { readRefreshState } from "@geolookup/geo/databases/refresh-state.ts";
import { registryOf } from "@geolookup/geo-data/sources/npm/registry.ts";
import { ACCOUNT, startFakeMaxmind } from "@geolookup/geo-data/testing/fake-maxmind.ts";
import { ASN, CITY, cityEdition } from "@geolookup/geo-data/testing/maxmind-fixture.ts";
import { expect } from "chai";
import { statusOf } from "../run-command.ts";
import { addData } from "./command.ts";

async function runMain(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url)), ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, stdout, stderr };
}

/** The same in this process, which takes a tenth of the CPU time. */
async function runHere(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const status = await statusOf("geo-data", addData, args, {
    environment,
    print: (text) => {
      printed.stdout += text;
    },
    printError: (text) => {
      printed.stderr += text;
    },
  });
  return { status, ...printed };
}

/** For NODE_OPTIONS: at its end, a process prints the npm packages that it has loaded, as JSON. */
const PRINT_PACKAGES = `--import data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  import { isMainThread } from "node:worker_threads";
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  if (isMainThread) process.on("exit", () => writeSync(1, JSON.stringify([...packages])));
`)}`;

describe("geo-data command", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "geolookup-geo-data-main-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("exits with 1 and one line if the folder isn't writable", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "", { mode: 0o600 });
    const { status, stderr } = await runMain({ DATA_DIR: file, GEO_DATA_SOURCE: "npm" });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^geo-data: cannot write to the folder .*\n$/);
  });

  it("exits with 1 and one line if the registry isn't a URL", async () => {
    const { status, stderr } = await runHere({ DATA_DIR: folder, npm_config_registry: "nowhere" });
    expect([status, stderr]).to.deep.equal([1, 'geo-data: npm_config_registry isn\'t a URL: "nowhere"\n']);
  });

  it("rolls back and lists the kept versions, without valid credentials", async () => {
    const bad = { DATA_DIR: folder, MAXMIND_ACCOUNT_ID: "me", MAXMIND_LICENSE_KEY_FILE: "/no/such/file" };
    const listed = await runMain(bad, "versions");
    expect(listed).to.include({ status: 0 }).and.to.have.property("stderr").that.includes("there is no geo data in");
    const { status, stderr } = await runMain(bad, "rollback");
    expect([status, stderr]).to.deep.equal([
      1,
      `geo-data: ${join(folder, "geo")} doesn't say which version is in use; name one with --to; no version is stored\n`,
    ]);
  });

  /** A server of MaxMind with one edition, and settings that use it. */
  const startMaxmind = async () => {
    const maxmind = await startFakeMaxmind({ [CITY]: cityEdition("20260620", "Firsttown") });
    const settings = {
      DATA_DIR: folder,
      GEO_DATA_SOURCE: "maxmind",
      GEO_DATA_URL: maxmind.url,
      MAXMIND_EDITIONS: CITY,
      MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
      MAXMIND_LICENSE_KEY: ACCOUNT.licenseKey,
    };
    return { settings, [Symbol.asyncDispose]: () => maxmind[Symbol.asyncDispose]() };
  };

  it("loads nothing that downloads or reads data at a start with data in place", async () => {
    await using fake = await startMaxmind();
    const { settings } = fake;
    const loaded = async () => {
      const { status, stdout } = await runMain({ ...settings, NODE_OPTIONS: PRINT_PACKAGES }, "--or-keep");
      expect(status).to.equal(0);
      return JSON.parse(stdout);
    };
    expect(await loaded(), "the first start").to.include.members(["tar", "iso-3166"]);
    expect(await loaded(), "the second start").to.have.members([
      "commander",
      "zod",
      "countries-list",
      "iso-3166",
      "tar",
    ]);
  });

  describe("with --or-keep", () => {
    for (const [what, wrong, said] of [
      ["other data isn't available", { MAXMIND_EDITIONS: ASN }, ASN],
      ["the settings are wrong", { MAXMIND_LICENSE_KEY: "" }, "belong together"],
    ] as const)
      it(`succeeds if complete data is in use and ${what}, and says why`, async () => {
        await using fake = await startMaxmind();
        expect(await runHere(fake.settings, "--or-keep")).to.include({ status: 0 });
        const settings = { ...fake.settings, ...wrong };
        expect((await runHere(settings)).status, "without the option").to.equal(1);
        const { status, stderr } = await runMain(settings, "--or-keep");
        expect(status, stderr).to.equal(0);
        expect(stderr).to.include(said).and.include(`the current geo data stays in use: v1 (${CITY} 20260620)`);
      });

    it("fails if there is no data, or if it is damaged", async () => {
      await using fake = await startMaxmind();
      const bad = { ...fake.settings, MAXMIND_EDITIONS: ASN };
      expect((await runHere(bad, "--or-keep")).status, "without data").to.equal(1);
      expect(await runHere(fake.settings, "--or-keep")).to.include({ status: 0 });
      writeFileSync(join(folder, "geo/versions/v1", `${CITY}.mmdb`), "");
      expect((await runHere(bad, "--or-keep")).status, "with damaged data").to.equal(1);
    });
  });

  it("with --update records the run where geo nodes read it, as the daily refresh does", async () => {
    await using fake = await startMaxmind();
    const { settings } = fake;
    expect((await runHere(settings, "--update")).status).to.equal(0);
    const { lastRun, runs } = await readRefreshState(join(folder, "geo"));
    expect([lastRun?.outcome, runs.updated]).to.deep.equal(["updated", 1]);
  });

  it("exits with 2 for an unknown option, and prints its usage with --help", async () => {
    const { status, stderr } = await runHere({}, "--sideways");
    expect(status).to.equal(2);
    expect(stderr).to.equal("geo-data: unknown option '--sideways'\nFor help: geo-data --help\n");
    for (const args of [["--help"], ["rollback", "-h"]])
      expect((await runHere({}, ...args)).stdout).to.match(/^Usage: geo-data/);
  });
});

describe("registryOf", () => {
  it("returns npm's setting, or the public registry", () => {
    expect(registryOf({})).to.equal("https://registry.npmjs.org/");
    expect(registryOf({ npm_config_registry: "https://npm.example/path" })).to.equal("https://npm.example/path/");
  });
});
