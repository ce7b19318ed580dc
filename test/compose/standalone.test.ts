import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { send } from "../harness/http.ts";
import { baseSettings } from "../harness/settings.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { oldDataDir } from "../upgrade/data-of-0.1.ts";
import { buildImage } from "./harness/images.ts";
import { REPOSITORY, run, succeed } from "./harness/run.ts";

const IMAGE = `geolookup-standalone-test-${process.pid}`;
const BUILD_TIMEOUT_MS = 600_000;
const START_TIMEOUT_MS = 60_000;
/** The user of the image. */
const UID = 10_001;

/** The demo keys, as printed at the start. */
const SHOWN = /publishable, plan free: geo_pk_\w+\n.*geo_sk_\w+/g;

const docker = (...args: readonly string[]) => succeed("docker", args);

/** A folder in which the image's user owns everything, copied from another or empty. */
function ownedFolder(from?: string): string {
  const folder = join(tempFolder(), "data");
  if (from === undefined) mkdirSync(folder);
  else cpSync(from, folder, { recursive: true });
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    chownSync(join(folder, path), UID, UID);
  chmodSync(join(folder, ".."), 0o755);
  return folder;
}

/** The fixture databases and plans in a folder that the image's user can read, and the databases' paths in the container. */
function geoFolder(): { folder: string; paths: string } {
  const folder = ownedFolder();
  copyFileSync(baseSettings().PLANS_FILE ?? "", join(folder, "plans.json"));
  const names = (baseSettings().GEO_DATABASES ?? "").split(",").map((path) => {
    copyFileSync(path, join(folder, basename(path)));
    return basename(path);
  });
  return { folder, paths: names.map((name) => `/geo/${name}`).join(",") };
}

describe("the image standalone", () => {
  const containers: string[] = [];

  /** Starts a container as docs/install.md does, with fixture databases. @returns its ID and its URL. */
  const start = async (data: string) => {
    const { folder, paths } = geoFolder();
    const safe = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
    const volumes = ["--volume", `${data}:/data`, "--volume", `${folder}:/geo:ro`];
    const settings = [
      "--env",
      `GEO_DATABASES=${paths}`,
      "--env",
      "PLANS_FILE=/geo/plans.json",
      "--env",
      "GEO_DATA_REFRESH=off",
    ];
    const id = (
      await docker("run", "--detach", ...safe, "--publish", "127.0.0.1::8080", ...volumes, ...settings, IMAGE)
    ).trim();
    containers.push(id);
    return { id, url: await healthy(id) };
  };
  const healthy = async (id: string) => {
    const status = async () => (await docker("inspect", "--format", "{{.State.Health.Status}}", id)).trim();
    await waitFor("the health check", async () => (await status()) === "healthy", START_TIMEOUT_MS).catch(
      async (error: Error) => {
        throw new Error(`${error.message}\n${await logs(id)}`, { cause: error });
      },
    );
    return `http://${(await docker("port", id, "8080/tcp")).trim()}`;
  };
  const keys = async (id: string, ...args: readonly string[]) =>
    JSON.parse(await docker("exec", id, "geolookup", "keys", ...args, "--json"));
  const used = async (id: string, keyId: string) => (await keys(id, "usage", keyId)).total as number;
  const logs = async (id: string) => {
    const { stdout, stderr } = await run("docker", ["logs", id]);
    return stdout + stderr;
  };

  before("build it", async function () {
    this.timeout(BUILD_TIMEOUT_MS);
    await buildImage(IMAGE, { folder: REPOSITORY, target: "standalone", args: {} });
  });
  after(async () => {
    if (containers.length > 0) await run("docker", ["rm", "--force", "--volumes", ...containers]);
    await run("docker", ["image", "rm", "--force", IMAGE]);
  });

  it("responds, shows demo keys once, and keeps keys and counts after docker kill and docker restart", async function () {
    this.timeout(180_000);
    const { id, url } = await start(ownedFolder());
    expect((await send(url)).status).to.equal(200);
    expect((await logs(id)).match(SHOWN)).to.have.length(1);
    const { key, keyId } = await keys(id, "issue", "--kind", "secret", "--plan", "paid");
    expect((await send(url, keyed(key))).status).to.equal(200);
    await waitFor("the count", async () => (await used(id, keyId)) === 1, 10_000);
    await docker("kill", id);
    await docker("start", id);
    expect((await send(await healthy(id), keyed(key))).status).to.equal(200);
    await waitFor("both counts", async () => (await used(id, keyId)) === 2, 10_000);
    expect((await logs(id)).match(SHOWN), "not shown again").to.have.length(1);
  });

  it("stops within 10 s of docker stop, even right after its start and while it downloads geo data", async function () {
    this.timeout(120_000);
    const { id } = await start(ownedFolder());
    const fetch = async () => {
      const fetching = (
        await docker("run", "--detach", "--network", "none", "--volume", `${ownedFolder()}:/data`, IMAGE)
      ).trim();
      containers.push(fetching);
      return fetching;
    };
    const fetching = await fetch();
    const isFetching = async () => (await docker("top", fetching)).includes("scripts/geo-data/main.ts");
    await waitFor("the download", isFetching, START_TIMEOUT_MS);
    for (const [container, status] of [
      // It may have failed by itself: this container has no network.
      [fetching, ["143", "1"]],
      [await fetch(), ["143"]],
      [id, ["0"]],
    ] as const) {
      const startMs = performance.now();
      await docker("stop", "--time", "30", container);
      expect(performance.now() - startMs).to.be.below(10_000);
      expect(status).to.include((await docker("inspect", "--format", "{{.State.ExitCode}}", container)).trim());
    }
  });

  it("starts with the DATA_DIR of version 0.1, and accepts its keys", async function () {
    this.timeout(120_000);
    const { settings, keys: old } = await oldDataDir();
    const { url } = await start(ownedFolder(settings.DATA_DIR));
    expect((await send(url, keyed(old.secret.key))).status).to.equal(200);
    expect((await send(url, keyed(old.revoked.key))).status).to.equal(401);
  });
});
