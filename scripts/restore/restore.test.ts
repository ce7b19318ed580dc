import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { epochOf, unfinishedKeyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { signArchive } from "./testing/sign-archive.ts";
import { type SmallCluster, smallCluster } from "./testing/small-cluster.ts";

const DAY = { day: "2026-11-02", instanceId: "instance", shard: 0 };
const counts = (...each: [string, number][]) => new Map(each);

describe("backup and restore of the event logs", () => {
  let cluster: SmallCluster;
  let folder: string;
  beforeEach(async () => {
    cluster = await smallCluster();
    folder = join(tempFolder(), "saved");
    cluster.makeRing();
    await cluster.declareKeys();
    await cluster.issue("keyA", "keyB");
    await cluster.count(DAY, counts(["keyA", 7]));
    await cluster.count({ ...DAY, shard: 3 }, counts(["keyB", 9]));
    await cluster.countMonth({ month: "2026-09", shard: 0, totals: counts(["keyA", 40]) });
  });
  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const texts = async (stream: string) =>
    (await cluster.messagesOf(stream)).map(([, subject, text]) => [subject, text]);
  const epoch = async () => {
    const info = await cluster.jetStream.findStream("KEYS");
    return info && epochOf(info);
  };
  const refused = (...args: string[]) =>
    cluster.restore(...args).then(
      () => "",
      (error: Error) => error.message,
    );

  it("restores keys, in a log with a new epoch, counts and the ring to a wiped cluster", async () => {
    const names = ["KEYS", "USAGE", "USAGE_MONTHS"];
    const before = await Promise.all(names.map(texts));
    const [keys, ring, epochBefore] = [await cluster.messagesOf("KEYS"), readFileSync(cluster.ringFile), await epoch()];
    expect(await cluster.backUp(folder)).to.include("2 key events, 2 usage messages, 1 monthly usage records");
    await cluster.wipe();
    writeFileSync(cluster.ringFile, ring);
    await cluster.restore(folder);
    expect(await Promise.all(names.map(texts))).to.have.deep.members(before);
    expect(await cluster.messagesOf("KEYS"), "with their sequences").to.deep.equal(keys);
    expect(await epoch())
      .to.be.a("string")
      .and.not.equal(epochBefore);
    expect(readFileSync(cluster.ringFile)).to.deep.equal(ring);
    await cluster.declareKeys();
  });

  it("restores a backup of a version without operators and audit trail", async () => {
    const keys = await cluster.messagesOf("KEYS");
    await cluster.backUp(folder);
    const path = join(folder, "manifest.json");
    const { operatorMessages, auditMessages, bytes, ...manifest } = JSON.parse(readFileSync(path, "utf8"));
    expect([operatorMessages, auditMessages]).to.not.include(undefined);
    for (const file of ["operators.jsonl", "audit.jsonl"]) {
      delete bytes[file];
      rmSync(join(folder, file));
    }
    writeFileSync(path, JSON.stringify({ ...manifest, bytes }));
    signArchive(folder, cluster.backupKeyFile);
    await cluster.wipe();
    await cluster.restore(folder);
    expect(await cluster.messagesOf("KEYS")).to.deep.equal(keys);
  });

  it("a backup is readable only by its owner, and sha256sum can check it", async () => {
    await cluster.backUp(folder);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777, file).to.equal(0o600);
    expect(readFileSync(join(folder, "SHA256SUMS"), "utf8")).to.match(/^([0-9a-f]{64} {2}[\w.-]+\n){7}$/);
    const checked = spawnSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
    expect(checked.status, checked.stderr).to.equal(0);
  });

  it("doesn't overwrite another backup, and replaces an interrupted one", async () => {
    mkdirSync(`${folder}.partial`);
    writeFileSync(join(`${folder}.partial`, "keys.snapshot"), "half");
    await cluster.backUp(folder);
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
    const error = await cluster.backUp(folder).catch((failure: Error) => failure);
    expect(error).to.have.property("message").that.includes("already exists");
    expect(readFileSync(join(folder, "SHA256SUMS"), "utf8")).to.equal(sums);
    expect(existsSync(`${folder}.partial`)).to.equal(false);
  });

  it("leaves nothing behind if there is nothing to save", async () => {
    await cluster.wipe();
    const error = await cluster.backUp(folder).catch((failure: Error) => failure);
    expect(error).to.have.property("message").that.includes("nothing to back up");
    expect([existsSync(folder), existsSync(`${folder}.partial`)]).to.deep.equal([false, false]);
  });

  it("without a ring, saves nothing and says what to do", async () => {
    for (const path of ["", join(tempFolder(), "nowhere")]) {
      cluster.environment.SIGNING_KEYS_FILE = path;
      const error = await cluster.backUp(folder).catch((failure: Error) => failure);
      expect(error)
        .to.have.property("message")
        .that.includes("SIGNING_KEYS_FILE")
        .and.includes("--without-signing-keys");
      expect(existsSync(folder)).to.equal(false);
    }
  });

  it("continues an interrupted restore, and can be repeated", async () => {
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.count(DAY, counts(["keyA", 7]));
    await cluster.restore(folder);
    const after = await Promise.all(["KEYS", "USAGE", "USAGE_MONTHS"].map((name) => cluster.messagesOf(name)));
    expect(await cluster.restore(folder)).to.include("the stream already has all keys");
    expect(await Promise.all(["KEYS", "USAGE", "USAGE_MONTHS"].map((name) => cluster.messagesOf(name)))).to.deep.equal(
      after,
    );
  });

  it("never lowers a key's count", async () => {
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.count(DAY, counts(["keyA", 3], ["keyC", 1]));
    await cluster.count({ ...DAY, shard: 3 }, counts(["keyB", 12]));
    await cluster.restore(folder);
    const stored = new Map(
      (await texts("USAGE")).map(([subject = "", text = ""]) => [subject, JSON.parse(text).counts]),
    );
    expect(stored.get("usage.20261102.instance.0")).to.deep.equal({ keyA: 7, keyC: 1 });
    expect(stored.get("usage.20261102.instance.3")).to.deep.equal({ keyB: 12 });
  });

  it("never lowers a count of refused requests, and restores what didn't fit into one message", async () => {
    const further = { type: "usage", version: 1, counts: { keyC: 5 } };
    await cluster.jetStream.publish("usage.20261102.instance.3-1", JSON.stringify(further));
    const refused = { ...DAY, shard: 4 };
    await cluster.refuse(refused, counts(["keyA rate_limited", 7]));
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.refuse(refused, counts(["keyA rate_limited", 3], ["keyA unknown_key", 1]));
    await cluster.restore(folder);
    const stored = new Map((await texts("USAGE")).map(([subject = "", text = ""]) => [subject, JSON.parse(text)]));
    expect(stored.get("usage.20261102.instance.4")).to.deep.equal({
      ...{ type: "usage", version: 1, counts: {} },
      refusals: { "keyA rate_limited": 7, "keyA unknown_key": 1 },
    });
    expect(stored.get("usage.20261102.instance.3-1")).to.deep.equal(further);
  });

  it("leaves out unreadable messages only with the option, and lists them", async () => {
    await cluster.jetStream.publish("usage.20261102.instance.9", "poison");
    await cluster.jetStream.publish("keys.keyA", "poison");
    await cluster.issue("keyA", "keyC");
    const good = (await texts("KEYS")).filter(([, text], index) => text !== "poison" && index !== 3);
    await cluster.backUp(folder);
    await cluster.wipe();
    const reason = await refused(folder);
    expect(reason)
      .to.match(/3 messages that this version cannot read/)
      .and.to.match(/message 3 of keys.jsonl: not a key event/)
      .and.to.match(/message 4 of keys.jsonl: its version does not follow/)
      .and.include("--leave-out-unreadable");
    expect(await cluster.jetStream.findStream("USAGE")).to.equal(undefined);
    const printed = await cluster.restore(folder, "--leave-out-unreadable");
    expect(printed).to.include("3 unreadable messages are left out");
    expect(await texts("KEYS")).to.deep.equal(good);
    expect(await texts("USAGE")).to.have.length(2);
    expect(await cluster.restore(folder, "--leave-out-unreadable")).to.include("the stream already has all keys");
  });

  it("moves the key log to a clean stream: without unreadable messages, and without losing an event", async () => {
    for (let junk = 0; junk < 50; junk++) await cluster.jetStream.publish("keys.keyA", '{"stream":"USAGE","seq":1}');
    await cluster.issue("keyC");
    const [before, good] = [await epoch(), (await texts("KEYS")).filter(([, text]) => text?.includes("KeyIssued"))];
    const clean = ["--leave-out-unreadable", "--force"] as const;
    await cluster.backUp(folder);
    await cluster.issue("keyD");
    const reason = await cluster.restore(folder, ...clean).catch((error: Error) => error.message);
    expect(reason).to.include("has newer events than the backup");
    const whole = `${folder}-whole`;
    await cluster.backUp(whole);
    const printed = await cluster.restore(whole, ...clean);
    expect(printed).to.include("the previous data was saved in").and.include("50 unreadable messages are left out");
    const after = await texts("KEYS");
    expect(after.slice(0, -1)).to.deep.equal(good);
    expect(after.at(-1)?.[0]).to.equal("keys.keyD");
    expect(await epoch()).to.not.equal(before);
    expect(await cluster.restore(whole, ...clean)).to.include("the stream already has all keys");
  });

  it("replaces the keys that an interrupted restore left", async () => {
    const before = await cluster.messagesOf("KEYS");
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.jetStream.declareStream(unfinishedKeyStreamSettings(1));
    await cluster.issue("keyB");
    await cluster.restore(folder);
    expect(await cluster.messagesOf("KEYS")).to.deep.equal(before);
    expect(await epoch()).to.not.match(/restoring/);
  });

  it("doesn't change a key log that has the whole backup and more", async () => {
    await cluster.backUp(folder);
    await cluster.issue("keyC");
    const before = [await cluster.messagesOf("KEYS"), await epoch()];
    await cluster.restore(folder);
    expect([await cluster.messagesOf("KEYS"), await epoch()]).to.deep.equal(before);
  });

  it("refuses to replace other keys without --force, and changes nothing", async () => {
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.declareKeys();
    await cluster.issue("other");
    const ring = newRingText(randomBytes);
    writeFileSync(cluster.ringFile, ring);
    expect(await refused(folder, "--add-signing-keys")).to.match(
      /KEYS has 1 events that are not those of this backup.*--force/,
    );
    expect(await cluster.messagesOf("KEYS")).to.have.length(1);
    expect(await cluster.jetStream.findStream("USAGE")).to.equal(undefined);
    expect(readFileSync(cluster.ringFile, "utf8")).to.equal(ring);
  });

  it("with --force, replaces other keys after saving them, and adds signing keys", async () => {
    const before = await cluster.messagesOf("KEYS");
    const ring = parseRing(readFileSync(cluster.ringFile, "utf8"));
    await cluster.backUp(folder);
    await cluster.wipe();
    await cluster.declareKeys();
    await cluster.issue("other");
    const present = newRingText(randomBytes);
    writeFileSync(cluster.ringFile, present);
    expect(await refused(folder, "--force"))
      .to.include(`lacks: ${ring.active.id}.`)
      .and.include("--add-signing-keys");
    expect((await texts("KEYS")).map(([subject]) => subject)).to.deep.equal(["keys.other"]);
    const printed = await cluster.restore(folder, "--force", "--add-signing-keys");
    expect(printed).to.include(`lacks: ${ring.active.id}\n`);
    const saved = /saved in (\S+)/.exec(printed)?.[1] ?? "";
    expect(await cluster.messagesOf("KEYS")).to.deep.equal(before);
    const merged = parseRing(readFileSync(cluster.ringFile, "utf8"));
    expect(merged.active).to.deep.equal(parseRing(present).active);
    expect(merged.byId.get(ring.active.id)).to.deep.equal(ring.active);
    await cluster.restore(saved, "--force");
    expect((await texts("KEYS")).map(([subject]) => subject)).to.deep.equal(["keys.other"]);
  });

  it("creates a missing ring, readable only by its owner", async () => {
    const ring = readFileSync(cluster.ringFile, "utf8");
    await cluster.backUp(folder);
    const other = join(tempFolder(), "signing-keys.json");
    cluster.environment.SIGNING_KEYS_FILE = other;
    expect(await refused(folder)).to.include("--add-signing-keys");
    expect(existsSync(other)).to.equal(false);
    await cluster.restore(folder, "--add-signing-keys");
    expect(readFileSync(other, "utf8")).to.equal(ring);
    expect(statSync(other).mode & 0o777).to.equal(0o600);
  });

  it("refuses a ring with another secret for an existing ID, before changing anything", async () => {
    await cluster.backUp(folder);
    await cluster.wipe();
    const { active, keys } = JSON.parse(readFileSync(cluster.ringFile, "utf8"));
    const strange = JSON.stringify({ active, keys: [{ ...keys[0], secret: randomBytes(32).toString("base64url") }] });
    writeFileSync(cluster.ringFile, strange);
    expect(await refused(folder)).to.include(`entry ${active} has different secrets`);
    expect(await cluster.jetStream.findStream("KEYS")).to.equal(undefined);
    expect(await cluster.jetStream.findStream("USAGE")).to.equal(undefined);
  });

  it("neither saves nor needs signing keys when run without them", async () => {
    cluster.environment.SIGNING_KEYS_FILE = "";
    await cluster.backUp(folder, "--without-signing-keys");
    expect(existsSync(join(folder, "signing-keys.json"))).to.equal(false);
    await cluster.wipe();
    expect(await cluster.restore(folder)).to.include("no signing keys were restored");
  });
});
