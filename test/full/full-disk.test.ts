import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { logLines } from "../harness/child.ts";
import { runHere } from "../harness/command.ts";
import type { Deployment, IssuedKey } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TIMEOUT_MS = 20_000;
/** Their lines in the journal don't fit into the rest of its last block. */
const REQUESTS = 250;

/** A file system of its own, of 16 MB. */
interface Disk extends Disposable {
  folder: string;
  fill(): void;
  free(): void;
}

function mount(...args: string[]): Disk {
  const folder = tempFolder();
  execFileSync("mount", [...args, folder]);
  const filler = () => join(folder, `filler-${readdirSync(folder).length}`);
  return {
    folder,
    fill() {
      for (let bytes = 1 << 20; bytes > 0; bytes >>= 1)
        for (let isFull = false; !isFull; )
          try {
            writeFileSync(filler(), Buffer.alloc(bytes));
          } catch {
            isFull = true;
          }
    },
    free() {
      for (const name of readdirSync(folder)) if (name.startsWith("filler-")) rmSync(join(folder, name));
    },
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder]),
  };
}

function mountExt4(): Disk {
  const image = join(tempFolder(), "disk.img");
  execFileSync("truncate", ["--size=16M", image]);
  execFileSync("mkfs.ext4", ["-q", image]);
  return mount("-o", "loop", image);
}

describe("standalone on a disk that can't be written (as root: it mounts one)", function () {
  this.timeout(180_000);
  let disk: Disk;
  let standalone: Deployment;
  let key: IssuedKey;
  let second: IssuedKey;
  before(() => {
    if (process.platform !== "linux" || process.getuid?.() !== 0)
      throw new Error("this suite mounts disks: run it as root on Linux");
  });
  afterEach(async () => {
    await standalone?.kill();
    disk?.[Symbol.dispose]();
  });

  const start = async () => {
    standalone = await startStandalone({ DATA_DIR: disk.folder });
  };
  const startWithKeys = async (mounted: Disk) => {
    disk = mounted;
    await start();
    [key, second] = [await standalone.issueKey(), await standalone.issueKey()];
    await request(key, 5);
  };
  const request = async ({ key }: IssuedKey, times: number) => {
    for (let count = 0; count < times; count += 1) {
      const { status } = await standalone.send({ path: `/v1/geo?key=${key}` });
      expect(status).to.equal(200);
    }
  };
  const usedBy = async (keyId: string): Promise<number> => {
    const { total } = await standalone.keys("usage", keyId);
    return total;
  };
  const failing = async () => {
    const metrics = await (await fetch(`${standalone.opsUrls[0]}/metrics`)).text();
    return [...metrics.matchAll(/^geolookup_file_write_failing\{path="(.*?)",reason="(.*?)"\} 1$/gm)].map(
      ([, path = "", reason = ""]) => `${path.slice(disk.folder.length + 1)}: ${reason}`,
    );
  };
  const doctor = () =>
    runHere(["doctor"], {
      OPS_TARGETS: `standalone=${new URL(standalone.opsUrls[0] ?? "").host}`,
    });
  /** The log, metrics and doctor name the path and the reason. */
  const expectNamed = async (reason: string) => {
    await waitFor("the metric", async () => (await failing()).includes(`journals: ${reason}`), TIMEOUT_MS);
    const lines = logLines(standalone.output()).filter(({ msg }) => msg === "file not writable");
    expect(lines.map(({ path, reason }) => `${path}: ${reason}`)).to.include(`${disk.folder}/journals: ${reason}`);
    const { stdout } = await doctor();
    expect(stdout).to.include(`! can't write ${disk.folder}/journals: ${reason}. Free space`);
    expect(stdout).to.not.include("NATS");
  };

  for (const [name, mountDisk] of [
    ["tmpfs", () => mount("-t", "tmpfs", "-o", "size=16m", "tmpfs")],
    ["ext4", mountExt4],
  ] as const) {
    it(`full (${name}): the cause is named at once, and goes once there is space`, async () => {
      await startWithKeys(mountDisk());
      disk.fill();
      await request(key, REQUESTS);
      await expectNamed("the disk is full");
      disk.free();
      await waitFor("the disk to be used", async () => (await failing()).length === 0, TIMEOUT_MS);
      await waitFor("the counts", async () => (await usedBy(key.keyId)) === 5 + REQUESTS, TIMEOUT_MS);
      expect(logLines(standalone.output()).map(({ msg }) => msg)).to.include("file writable again");
    });

    it(`full (${name}): stopped while it is, a restart with space has every count`, async () => {
      await startWithKeys(mountDisk());
      disk.fill();
      await request(key, REQUESTS);
      await request(second, 3);
      await standalone.stop();
      disk.free();
      await start();
      await waitFor("the counts", async () => (await usedBy(key.keyId)) === 5 + REQUESTS, TIMEOUT_MS);
      expect(await usedBy(second.keyId)).to.equal(3);
    });
  }

  it("read-only: the cause is named at once", async () => {
    await startWithKeys(mountExt4());
    // As the kernel does after errors of the disk, although files are open.
    execFileSync("mount", ["-o", "remount,abort", disk.folder]);
    await request(key, REQUESTS);
    await expectNamed("the file system is read-only");
    await standalone.stop();
    const lost = logLines(standalone.output()).find(({ msg }) => /^usage counts lost/.test(String(msg)));
    expect(lost).to.include({ keys: 1 });
  });
});
