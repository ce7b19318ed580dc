import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { openMeter } from "./meter.ts";
import { meterFixture } from "./testing/meter-fixture.ts";
import { quiet } from "./testing/usage-folders.ts";

describe("meter after a restart", () => {
  const fixture = meterFixture();

  it("continues its counts", async () => {
    await fixture.count(5);
    await fixture.meter[Symbol.asyncDispose]();
    expect(fixture.folders.journalFiles()).to.deep.equal([]);
    await fixture.open();
    expect(await fixture.isAdmitted(5)).to.equal(false);
    expect(await fixture.isAdmitted(6)).to.equal(true);
    expect(await fixture.total()).to.equal(5);
  });

  it("doesn't count a published journal twice", async () => {
    await fixture.count(5);
    const [file = ""] = fixture.folders.journalFiles();
    const journal = join(fixture.folders.journals, file);
    const copy = `${journal}-copy`;
    copyFileSync(journal, copy);
    await fixture.meter[Symbol.asyncDispose]();
    expect(await fixture.total()).to.equal(5);
    // Killed after publishing, before the journal was deleted, again during recovery.
    for (let crash = 0; crash < 2; crash++) {
      copyFileSync(copy, journal);
      await fixture.open();
      expect(await fixture.total()).to.equal(5);
      expect(await fixture.isAdmitted(5)).to.equal(false);
      expect(fixture.folders.journalFiles()).not.to.include(file);
      await fixture.meter[Symbol.asyncDispose]();
    }
  });

  it("recovers a crashed instance's journals under its ID, with the greatest count of all segments", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    writeFileSync(
      join(fixture.folders.journals, "crashed1.1.journal"),
      "2026-05-01 key1 9\n2026-05-02 key1 1\n2026-05-01 key1 4\n",
    );
    writeFileSync(
      join(fixture.folders.journals, "crashed1.2.journal"),
      "2026-05-01 key1 7\n2026-05-01 key2 1\n2026-05-0",
    );
    await fixture.open();
    const subjects = new Set<string>();
    await using _following = await fixture.usageLog.follow(({ subject }) => subjects.add(subject.instanceId));
    expect([...subjects]).to.deep.equal(["crashed1"]);
    expect(await fixture.month("2026-05")).to.deep.equal({
      total: 10,
      days: [
        { day: "2026-05-01", requests: 9 },
        { day: "2026-05-02", requests: 1 },
      ],
    });
    expect(await fixture.isAdmitted(10)).to.equal(false);
    expect(fixture.folders.journalFiles().filter((file) => file.startsWith("crashed"))).to.deep.equal([]);
  });

  it("sets damaged journals aside and uses their valid lines", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    const garbage = "2026-05-02 key1 3\n\0\0\0\0\nwhat is this\n2026-05-02 key1 4\n";
    writeFileSync(join(fixture.folders.journals, "crashed1.1.journal"), garbage);
    mkdirSync(join(fixture.folders.journals, "crashed2.1.journal"));
    await fixture.open();
    expect(await fixture.total()).to.equal(4);
    expect(fixture.folders.journalFiles()).to.include.members(["crashed1.1.journal.bad", "crashed2.1.journal.bad"]);
    expect(readFileSync(join(fixture.folders.journals, "crashed1.1.journal.bad"), "utf8")).to.equal(garbage);
    expect(await fixture.metric("geolookup_usage_journals_damaged_total")).to.deep.equal([{ value: 2, labels: {} }]);
    await fixture.meter[Symbol.asyncDispose]();
    await fixture.open();
    expect(await fixture.metric("geolookup_usage_journals_damaged_total")).to.deep.equal([{ value: 0, labels: {} }]);
  });

  it("says what a journal that was cut off lost at most, and uses its lines", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    writeFileSync(join(fixture.folders.journals, "crashed1.1.journal"), "2026-05-02 key1 3\n2026-05-02 ke");
    const lines: Record<string, unknown>[] = [];
    await fixture.open({ log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }) });
    expect(await fixture.total()).to.equal(3);
    const cut = lines.find(({ msg }) => msg === "usage journal ends within a line; publishing the counts before it");
    expect(cut).to.include({ level: 40, file: "crashed1.1.journal", readable: 1 });
    expect(cut?.lostAtMost).to.match(/power failure, the requests served since the last publish/);
    expect(fixture.folders.journalFiles().filter((file) => file.startsWith("crashed"))).to.deep.equal([]);
  });

  it("locks the folder", async () => {
    const second = await openMeter({
      folder: fixture.folders.journals,
      usageLog: fixture.usageLog,
      clock: () => fixture.now,
      log: quiet,
      registry: new Registry(),
    }).catch((error) => error);
    expect(second).to.be.instanceOf(StartError);
  });
});
