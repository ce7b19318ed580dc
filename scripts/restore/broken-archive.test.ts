import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { authenticateSums, signArchive } from "./testing/sign-archive.ts";
import { type SmallCluster, smallCluster } from "./testing/small-cluster.ts";

describe("a damaged backup is refused and changes nothing", () => {
  let cluster: SmallCluster;
  let good: string;
  before(async () => {
    cluster = await smallCluster();
    good = join(tempFolder(), "good");
    cluster.makeRing();
    await cluster.declareKeys();
    await cluster.issue("keyA");
    await cluster.count({ day: "2026-11-02", instanceId: "instance", shard: 0 }, new Map([["keyA", 7]]));
    await cluster.backUp(good);
    await cluster.wipe();
    rmSync(cluster.ringFile);
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  const refusal = (folder: string) =>
    cluster.restore(folder).then(
      () => "it was restored",
      (error: Error) => error.message,
    );
  const copy = () => {
    const folder = join(tempFolder(), "broken");
    cpSync(good, folder, { recursive: true });
    return folder;
  };
  const expectUntouched = async () => {
    for (const name of ["KEYS", "USAGE", "USAGE_MONTHS"])
      expect(await cluster.jetStream.findStream(name), name).to.equal(undefined);
    expect(() => readFileSync(cluster.ringFile)).to.throw("ENOENT");
  };
  /** Changes the manifest and signs the backup again, so that only the other checks can notice. */
  const sign = (folder: string) => signArchive(folder, cluster.backupKeyFile);
  const edit = (folder: string, change: (manifest: Record<string, unknown>) => object) => {
    const path = join(folder, "manifest.json");
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
    sign(folder);
  };

  for (const file of [
    "keys.jsonl",
    "usage.jsonl",
    "manifest.json",
    "signing-keys.json",
    "SHA256SUMS",
    "SHA256SUMS.hmac",
  ]) {
    it(`a flipped byte in ${file}`, async () => {
      const folder = copy();
      const bytes = readFileSync(join(folder, file));
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      writeFileSync(join(folder, file), bytes);
      expect(await refusal(folder)).to.match(/damaged|was changed/);
      await expectUntouched();
    });

    it(`without ${file}`, async () => {
      const folder = copy();
      rmSync(join(folder, file));
      expect(await refusal(folder)).to.match(/is incomplete|isn't a backup|can't be authenticated/);
      await expectUntouched();
    });
  }

  const others: [what: string, make: () => string, says: RegExp][] = [
    ["an empty folder", () => tempFolder(), /isn't a backup of geolookup.*.\/geolookup backup/],
    [
      "a folder of another program, with matching sums",
      () => {
        const folder = join(tempFolder(), "else");
        mkdirSync(folder);
        writeFileSync(join(folder, "manifest.json"), '{"name": "an app"}');
        sign(folder);
        return folder;
      },
      /isn't a backup of geolookup/,
    ],
    [
      "a backup of another version",
      () => {
        const folder = copy();
        edit(folder, (manifest) => ({ ...manifest, version: 3, more: true }));
        return folder;
      },
      /has format version 3.*reads 2:/,
    ],
    [
      "sums that leave a file out",
      () => {
        const folder = copy();
        const path = join(folder, "SHA256SUMS");
        const lines = readFileSync(path, "utf8").split("\n");
        writeFileSync(path, lines.filter((line) => !line.endsWith("usage.jsonl")).join("\n"));
        authenticateSums(folder, cluster.backupKeyFile);
        return folder;
      },
      /doesn't list usage.jsonl/,
    ],
    [
      "sums that name a file outside the backup",
      () => {
        const folder = copy();
        appendFileSync(join(folder, "SHA256SUMS"), `${"0".repeat(64)}  ../../etc/passwd\n`);
        authenticateSums(folder, cluster.backupKeyFile);
        return folder;
      },
      /has an invalid line/,
    ],
    [
      "fewer messages than the manifest says, with matching sums",
      () => {
        const folder = copy();
        writeFileSync(join(folder, "usage.jsonl"), "");
        sign(folder);
        return folder;
      },
      /the manifest says 1 messages/,
    ],
  ];
  for (const [what, make, says] of others)
    it(what, async () => {
      expect(await refusal(make())).to.match(says);
      await expectUntouched();
    });
});
