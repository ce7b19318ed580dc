import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { MmdbError } from "../mmdb/error.ts";
import { temporaryFolder } from "../testing/fixtures.ts";
import { HOSTILE_DATABASES, harmlessDatabase, slowDatabase } from "../testing/hostile-databases.ts";
import { CheckTimeoutError, checkInWorker, timeoutOf } from "./check-in-worker.ts";
import { openDatabase, UnusableFileError } from "./database.ts";
import { UnreadableFileError } from "./whole-file.ts";

const MAX_BYTES = 2 ** 31 - 1;
const failure = (checking: Promise<unknown>) => checking.catch((reason: unknown) => reason);

describe("checkInWorker", () => {
  const folder = temporaryFolder("check-in-worker");
  after(folder.remove);
  const fileOf = (bytes: Buffer) => {
    const path = join(folder.path, "city.mmdb");
    writeFileSync(path, bytes);
    return path;
  };
  const check = (bytes: Buffer, options: Parameters<typeof checkInWorker>[2] = {}) =>
    checkInWorker(fileOf(bytes), MAX_BYTES, options);

  it("returns what was checked, and the whole file only if it is wanted", async () => {
    const checked = await check(harmlessDatabase());
    const { searchTreeSize, dataEnd } = checked.metadata;
    expect(checked.data.equals(harmlessDatabase().subarray(searchTreeSize, dataEnd))).to.equal(true);
    expect(checked.whole).to.equal(null);
    const { whole } = await check(harmlessDatabase(), { wantsWhole: true });
    expect(whole?.equals(harmlessDatabase())).to.equal(true);
    expect(checked.metadata).to.include({ databaseType: "city", nodeCount: 1, buildUnixSeconds: 1_700_000_000 });
  });

  it("reports the problem", async () => {
    const bytes = HOSTILE_DATABASES["billion laughs in a record"]?.() ?? Buffer.alloc(0);
    const error = await failure(check(bytes));
    expect(error).to.be.instanceOf(MmdbError).with.property("message").that.includes("values without end");
  });

  it("reports a file that can't be read as reading it does", async () => {
    const missing = join(folder.path, "missing.mmdb");
    expect(await failure(checkInWorker(missing, MAX_BYTES))).to.have.property("code", "ENOENT");
    const large = await failure(checkInWorker(fileOf(harmlessDatabase()), 10));
    expect(large).to.be.instanceOf(UnreadableFileError).with.property("message").that.includes("more than the 10");
    const inner = join(folder.path, "folder.mmdb");
    mkdirSync(inner);
    const error = await failure(checkInWorker(inner, MAX_BYTES));
    expect(error).to.be.instanceOf(UnreadableFileError).with.property("code", "EISDIR");
  });

  it("checks files one after another in one thread, but replaces a thread that has read an invalid file", async () => {
    const good = () => check(harmlessDatabase());
    await good();
    let started = 0;
    const onStart = () => started++;
    subscribe("worker_threads", onStart);
    await good();
    await failure(check(Buffer.from("bad")));
    expect(started).to.equal(0);
    await good();
    expect(started).to.equal(1);
    const path = fileOf(harmlessDatabase());
    await Promise.all([checkInWorker(path, MAX_BYTES), checkInWorker(path, MAX_BYTES)]);
    expect(started, "at the same time").to.equal(2);
    unsubscribe("worker_threads", onStart);
  });

  it("is terminated after a timeout, which doesn't say that the file is invalid", async () => {
    const error = await failure(check(slowDatabase(), { timeoutMs: 1 }));
    expect(error).to.be.instanceOf(CheckTimeoutError).with.property("message").that.includes("takes more than");
    const opening = openDatabase(fileOf(slowDatabase()), { checkTimeoutMs: 1 });
    expect(await failure(opening))
      .to.be.instanceOf(UnusableFileError)
      .with.property("isLasting", false);
  });

  it("is aborted by a signal, before and during the check", async () => {
    const stopping = new AbortController();
    const checking = check(slowDatabase(), { signal: stopping.signal });
    setImmediate(() => stopping.abort());
    expect(await failure(checking)).to.have.property("name", "AbortError");
    const late = check(harmlessDatabase(), { signal: stopping.signal });
    expect(await failure(late)).to.have.property("name", "AbortError");
  });

  for (const [megabytes, seconds] of [
    [0, 30],
    [70, 30],
    [150, 30],
    [300, 60],
    [2_000, 400],
  ] as const)
    it(`may take ${seconds} s for ${megabytes} MB`, () => {
      expect(timeoutOf(megabytes * 1e6)).to.equal(seconds * 1_000);
    });
});
