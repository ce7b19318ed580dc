import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeKeyMessage, isUnfinished } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { keyForRestore } from "../backup/backup-key.ts";
import { checkArchive } from "./check-archive.ts";
import { checkMessages } from "./check-messages.ts";
import { restoreKeys } from "./keys.ts";
import { signArchive, sumArchive } from "./testing/sign-archive.ts";
import { type SmallCluster, smallCluster } from "./testing/small-cluster.ts";

const STREAMS = ["KEYS", "USAGE", "USAGE_MONTHS"];

describe("refuses a hostile backup with status 1, and publishes nothing", () => {
  let cluster: SmallCluster;
  let good: string;
  before(async () => {
    cluster = await smallCluster();
    good = join(tempFolder(), "good");
    cluster.makeRing();
    await cluster.declareKeys();
    await cluster.issue("keyA", "keyB");
    await cluster.count({ day: "2026-11-02", instanceId: "instance", shard: 0 }, new Map([["keyA", 7]]));
    await cluster.countMonth({ month: "2026-09", shard: 0, totals: new Map([["keyA", 40]]) });
    await cluster.backUp(good);
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  const copy = () => {
    const folder = join(tempFolder(), "hostile");
    cpSync(good, folder, { recursive: true });
    return folder;
  };
  const add = (folder: string, file: string, subject: string, data: string) =>
    appendFileSync(join(folder, file), `${JSON.stringify({ subject, data: Buffer.from(data).toString("base64") })}\n`);
  /** Updates the counts in the manifest. */
  const recount = (folder: string) => {
    const path = join(folder, "manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    const lines = (file: string) => readFileSync(join(folder, file), "utf8").split("\n").length - 1;
    manifest.usageMessages = lines("usage.jsonl");
    manifest.monthMessages = lines("usage-months.jsonl");
    manifest.keys.events = lines("keys.jsonl");
    writeFileSync(path, JSON.stringify(manifest));
  };
  const state = async () => {
    const streams = await Promise.all(STREAMS.map((name) => cluster.jetStream.findStream(name)));
    return [streams.map((info) => info && [info.created, info.state]), readFileSync(cluster.ringFile, "utf8")];
  };
  const expectRefused = async (folder: string, says: RegExp, ...args: string[]) => {
    const before = await state();
    const { status, stderr } = await runHere(["restore", folder, ...args], cluster.environment);
    expect(status, stderr).to.equal(1);
    expect(stderr).to.match(says);
    expect(await state()).to.deep.equal(before);
  };
  const event = (keyId: string, version: number) =>
    encodeKeyMessage({
      id: randomUUID(),
      type: "KeyIssued",
      keyId,
      version,
      at: new Date().toISOString(),
      by: "mallory",
      data: { kind: "secret", plan: "paid", label: "", origins: [], keySha256: "1".repeat(64), display: "geo_sk_…" },
    });

  const planted: [what: string, plant: (folder: string) => void][] = [
    ["a working key among the counts", (folder) => add(folder, "usage.jsonl", "keys.planted", event("planted", 1))],
    ["a working key among the keys", (folder) => add(folder, "keys.jsonl", "keys.planted", event("planted", 1))],
    ["a request that deletes the key log", (folder) => add(folder, "usage.jsonl", "$JS.API.STREAM.DELETE.KEYS", "")],
  ];
  for (const [what, plant] of planted)
    it(`${what}, with matching checksums`, async () => {
      const folder = copy();
      plant(folder);
      recount(folder);
      sumArchive(folder);
      await expectRefused(folder, /was changed after it was made/);
      rmSync(join(folder, "SHA256SUMS.hmac"));
      await expectRefused(folder, /can't be authenticated.*--unauthenticated/);
    });

  const messages: [what: string, file: string, subject: string, data: string, says: RegExp][] = [
    ["a key among the counts", "usage.jsonl", "keys.planted", event("planted", 1), /message 2 is for "keys.planted"/],
    ["a request to JetStream", "usage.jsonl", "$JS.API.STREAM.DELETE.KEYS", "", /is for "\$JS/],
    ["a reply", "usage-months.jsonl", "_INBOX.auth.x", "", /is for "_INBOX/],
    ["an invalid shard", "usage.jsonl", "usage.20261102.instance.64", "", /is for "usage.20261102.instance.64"/],
    ["a wildcard", "keys.jsonl", "keys.*", event("*", 1), /is for "keys.\*"/],
    ["two lines in a subject", "keys.jsonl", "keys.a\r\nPUB x", "", /is for "keys.a/],
    ["invalid counts", "usage.jsonl", "usage.20261102.instance.1", '{"counts":{"a":-1}}', /cannot read/],
    ["another key's event", "keys.jsonl", "keys.planted", event("keyA", 1), /doesn't match the subject/],
    ["a version that doesn't follow", "keys.jsonl", "keys.planted", event("planted", 3), /version does not follow/],
  ];
  for (const [what, file, subject, data, says] of messages)
    it(`${what}, signed with the backup key, also with --unauthenticated`, async () => {
      const folder = copy();
      add(folder, file, subject, data);
      recount(folder);
      signArchive(folder, cluster.backupKeyFile);
      await expectRefused(folder, says);
      await expectRefused(folder, says, "--unauthenticated");
    });

  const files: [what: string, damage: (folder: string) => void, says: RegExp][] = [
    ["a link", (folder) => replace(folder, "usage.jsonl", (path) => symlinkSync("/etc/passwd", path)), /it is a link/],
    [
      "a pipe",
      (folder) => replace(folder, "usage.jsonl", (path) => execFileSync("mkfifo", [path])),
      /isn't a regular file/,
    ],
    ["a device", (folder) => replace(folder, "SHA256SUMS", (path) => symlinkSync("/dev/zero", path)), /it is a link/],
    [
      "a sparse file of a terabyte",
      (folder) => truncateSync(join(folder, "usage.jsonl"), 2 ** 40),
      /doesn't have the \d+ bytes/,
    ],
    ["a huge manifest", (folder) => truncateSync(join(folder, "manifest.json"), 2 ** 40), /larger than 16384 bytes/],
    ["another file", (folder) => writeFileSync(join(folder, "more\n.jsonl"), ""), /isn't part of it: "more\\n\.jsonl"/],
  ];
  for (const [what, damage, says] of files)
    it(what, async () => {
      const folder = copy();
      damage(folder);
      await expectRefused(folder, says);
    });

  it("a line without a newline, and an invalid ring", async () => {
    const line = copy();
    writeFileSync(join(line, "usage.jsonl"), "x".repeat(3 * 1024 * 1024));
    signArchive(line, cluster.backupKeyFile);
    await expectRefused(line, /a line is longer than/);
    const ring = copy();
    writeFileSync(join(ring, "signing-keys.json"), "x".repeat(2 * 1024 * 1024));
    signArchive(ring, cluster.backupKeyFile);
    await expectRefused(ring, /larger than 1048576 bytes/);
  });

  it("another backup key, one that is missing, and one that is too short", async () => {
    const own = cluster.environment.BACKUP_KEY_FILE;
    const other = join(tempFolder(), "other-key");
    try {
      cluster.environment.BACKUP_KEY_FILE = other;
      await expectRefused(good, /there is no backup key .*BACKUP_KEY_FILE/);
      writeFileSync(other, "o".repeat(48), { mode: 0o600 });
      await expectRefused(good, /made with the backup key [0-9a-f]{8}, and .* is [0-9a-f]{8}/);
      writeFileSync(other, "o", { mode: 0o600 });
      await expectRefused(good, /must have 32 to 1024 characters/);
    } finally {
      cluster.environment.BACKUP_KEY_FILE = own;
    }
  });

  it("a change between the check and the publication, before services follow the keys", async () => {
    const folder = copy();
    const archive = await checkArchive(folder, await keyForRestore(cluster.environment));
    const messages = await checkMessages(folder, archive, false);
    add(folder, "keys.jsonl", "keys.planted", event("planted", 1));
    const { connection } = cluster;
    const restoring = restoreKeys({
      connection,
      messages: messages.keys.messages(),
      backup: messages.keys,
      replicas: 1,
      replaces: 2,
    });
    const error = await restoring.then(
      () => undefined,
      (failure: Error) => failure,
    );
    expect(error).to.have.property("message", "it changed while it was being read");
    const info = await cluster.jetStream.findStream("KEYS");
    expect(info && isUnfinished(info)).to.equal(true);
    await cluster.restore(good);
  });

  it("never includes the backup key in a backup", () => {
    for (const file of ["manifest.json", "SHA256SUMS", "SHA256SUMS.hmac", "keys.jsonl", "signing-keys.json"])
      expect(readFileSync(join(good, file), "utf8"), file).to.not.include("k".repeat(8));
  });

  function replace(folder: string, file: string, make: (path: string) => void) {
    rmSync(join(folder, file));
    make(join(folder, file));
  }
});
