import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import type { UsageLog, UsageSource } from "../../../domain/usage.ts";
import { createUsageFold } from "../../../domain/usage-fold.ts";
import { shardOf } from "../../../domain/usage-shard.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import { fileUsageStore } from "../testing/usage-log-stores.ts";
import { usageLogSuite } from "../usage-log.suite.ts";
import { openFileUsageLogReader } from "./reader.ts";
import { openFileUsageLog } from "./usage-log.ts";

const quiet = pino({ level: "silent" });
/** A few days after the events of the tests below, whenever they run. */
const clock = () => Date.parse("2026-05-10");
const newFolder = () => mkdtempSync(join(tmpdir(), "geolookup-usage-log-"));

usageLogSuite("a file", async () => fileUsageStore({ clock }));
usageLogSuite("a file that is compacted all the time", async () => fileUsageStore({ clock, compactAtBytes: 1 }));

describe("the usage log in a file", () => {
  const subject = { day: "2026-05-02", instanceId: "boot1", shard: shardOf("k") };
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, "usage.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A closed log whose lines 2, 3 and 4 count k up to 3. */
  const writeThree = async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock });
    for (const count of [1, 2, 3]) await log.publish(subject, new Map([["k", count]]));
    await log[Symbol.asyncDispose]();
  };
  const total = async (source: UsageSource) => {
    const fold = createUsageFold();
    await using _following = await source.follow(fold.apply);
    return fold.total("k", "2026-05");
  };
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error) => error,
    );

  it("has one writer at a time", async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock });
    expect(await failureOf(openFileUsageLog({ folder, log: quiet, clock }))).to.be.instanceOf(StartError);
    await log[Symbol.asyncDispose]();
    await (await openFileUsageLog({ folder, log: quiet, clock }))[Symbol.asyncDispose]();
  });

  it("acknowledges no count before it is synced to disk", async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock });
    const file = await open(path);
    const handle: FileHandle = Object.getPrototypeOf(file);
    const { datasync } = handle;
    handle.datasync = () => Promise.reject(new Error("EIO: i/o error"));
    try {
      expect(await failureOf(log.publish(subject, new Map([["k", 1]])))).to.match(/EIO/);
    } finally {
      handle.datasync = datasync;
    }
    await log.publish(subject, new Map([["k", 1]]));
    expect(await total(log)).to.equal(1);
    await file.close();
    await log[Symbol.asyncDispose]();
  });

  for (const [what, tail] of [
    ["half a line", '{"crc32":"62d4a169","day":"2026-05-02","bo'],
    ["zeros", "\0\0\0\0\0"],
    [
      "a line without its end",
      '{"crc32":"62d4a169","day":"2026-05-02","bootId":"b1","shard":7,"counts":{"k1":3,"k2":40}}',
    ],
  ] as const)
    it(`removes a torn last line: ${what}`, async () => {
      await writeThree();
      const { size } = statSync(path);
      appendFileSync(path, tail);
      expect(await total(openFileUsageLogReader({ folder, log: quiet })), "a reader waits for its end").to.equal(3);
      const log = await openFileUsageLog({ folder, log: quiet, clock });
      expect(statSync(path).size).to.equal(size);
      await log.publish(subject, new Map([["k", 4]]));
      await log[Symbol.asyncDispose]();
      expect(await total(openFileUsageLogReader({ folder, log: quiet }))).to.equal(4);
    });

  const damages: [what: string, line: number, damage: (text: string) => string][] = [
    ["a changed count", 3, (text) => text.replace('{"k":2}', '{"k":9}')],
    ["a changed last line", 4, (text) => text.replace('{"k":3}', '{"k":9}')],
    [
      "a garbage line in between",
      3,
      (text) => text.replace("\n", "\n\x00garbage\n").replace(/^(.*\n)(.*\n)(.*\n)/, "$1$3$2"),
    ],
    ["an empty line", 5, (text) => `${text}\n`],
    ["another program's file", 1, () => '{"some":"file"}\n'],
    ["a header from the future", 1, (text) => text.replace('"version":1', '"version":2')],
  ];
  for (const [what, line, damage] of damages)
    it(`doesn't start with ${what}, and changes nothing`, async () => {
      await writeThree();
      writeFileSync(path, damage(readFileSync(path, "utf8")));
      appendFileSync(path, "torn");
      const before = readFileSync(path);
      for (const open of [
        () => openFileUsageLog({ folder, log: quiet, clock }),
        () => openFileUsageLogReader({ folder, log: quiet }).follow(() => {}),
      ]) {
        const failure = await failureOf(open());
        expect(failure).to.be.instanceOf(StartError);
        expect(failure.message).to.match(new RegExp(`usage\\.jsonl is damaged at line ${line}:`));
        expect(readFileSync(path).equals(before)).to.equal(true);
      }
    });

  for (const [what, content] of [
    ["an empty file", ""],
    ["a file without a complete line", "some other text"],
  ] as const)
    it(`doesn't start with ${what}, and changes nothing`, async () => {
      writeFileSync(path, content);
      expect(await failureOf(openFileUsageLog({ folder, log: quiet, clock }))).to.be.instanceOf(StartError);
      expect(readFileSync(path, "utf8")).to.equal(content);
    });

  it("is compacted without loss when most of it is outdated", async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock, compactAtBytes: 2_000 });
    for (let count = 1; count <= 500; count++)
      await log.publish(
        subject,
        new Map([
          ["k", count],
          [`once${count % 3}`, 1],
        ]),
      );
    expect(statSync(path).size).to.be.below(4_000);
    await log.publish({ ...subject, instanceId: "boot2" }, new Map([["k", 7]]));
    await log[Symbol.asyncDispose]();
    expect(await total(openFileUsageLogReader({ folder, log: quiet }))).to.equal(507);
  });

  it("isn't compacted while all of it is current", async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock, compactAtBytes: 100 });
    const { ino } = statSync(path);
    for (let number = 0; number < 50; number++) await log.publish(subject, new Map([[`key${number}`, 1]]));
    expect(statSync(path).ino).to.equal(ino);
    await log[Symbol.asyncDispose]();
  });

  it("doesn't grow when it gets counts that it already has", async () => {
    const log = await openFileUsageLog({ folder, log: quiet, clock });
    await log.publish(subject, new Map([["k", 5]]));
    const { size } = statSync(path);
    for (const count of [5, 4]) await log.publish(subject, new Map([["k", count]]));
    expect(statSync(path).size).to.equal(size);
    await log[Symbol.asyncDispose]();
  });

  it("ignores a compaction that a crash interrupted", async () => {
    await writeThree();
    writeFileSync(`${path}.new`, '{"format":"geolookup usa');
    const log = await openFileUsageLog({ folder, log: quiet, clock });
    expect(await total(log)).to.equal(3);
    expect(() => statSync(`${path}.new`)).to.throw("ENOENT");
    await log[Symbol.asyncDispose]();
  });

  describe("followed from another process", () => {
    /** Opens a reader that polls often, and waits until it has caught up. */
    const followed = async (source: UsageSource) => {
      const fold = createUsageFold();
      let check = () => {};
      await source.follow((entry) => {
        fold.apply(entry);
        check();
      });
      return (expected: number) =>
        new Promise<void>((resolve) => {
          check = () => {
            if (fold.total("k", "2026-05") === expected) resolve();
          };
          check();
        });
    };
    let source: UsageSource;
    let log: UsageLog | undefined;
    beforeEach(() => {
      source = openFileUsageLogReader({ folder, log: quiet, pollIntervalMs: 10 });
    });
    afterEach(async () => {
      await source[Symbol.asyncDispose]();
      await log?.[Symbol.asyncDispose]();
      log = undefined;
    });

    it("can be opened before the log exists", async () => {
      const reaches = await followed(source);
      log = await openFileUsageLog({ folder, log: quiet, clock });
      await log.publish(subject, new Map([["k", 1]]));
      await reaches(1);
    });

    it("continues across compactions", async () => {
      const reaches = await followed(source);
      log = await openFileUsageLog({ folder, log: quiet, clock, compactAtBytes: 1_000 });
      for (let count = 1; count <= 200; count++) {
        await log.publish(subject, new Map([["k", count]]));
        if (count % 20 === 0) await reaches(count);
      }
    });

    it("continues after damage is repaired", async () => {
      await writeThree();
      const reaches = await followed(source);
      const text = readFileSync(path, "utf8");
      appendFileSync(path, "garbage\n");
      await reaches(3);
      truncateSync(path, text.length);
      log = await openFileUsageLog({ folder, log: quiet, clock });
      await log.publish(subject, new Map([["k", 4]]));
      await reaches(4);
    });
  });
});
