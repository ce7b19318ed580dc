import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Journal } from "./journal.ts";
import { openJournalReserve } from "./journal-reserve.ts";

const COUNTS = [{ day: "2026-05-02", account: "key1", count: 1 }];

describe("Journal", () => {
  let folder: string;
  let failures: Error[];
  let journal: Journal;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "geolookup-journal-"));
    failures = [];
    journal = new Journal({
      folder,
      instanceId: "instance1",
      onFailure: (error) => failures.push(error),
      rotateAtBytes: 100,
    });
  });
  afterEach(() => {
    journal.close([]);
    rmSync(folder, { recursive: true });
  });
  const read = (segment: number) => readFileSync(join(folder, `instance1.${segment}.journal`), "latin1");
  const grow = async () => {
    for (let count = 1; count <= 5; count++) await journal.append("2026-05-02", "key1", count);
  };

  it("resolves append once the count is written", async () => {
    await journal.append("2026-05-02", "key1", 1);
    expect(read(1)).to.equal("2026-05-02 key1 1\n");
    await journal.append("2026-05-02", "key1", 2);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 2\n");
    expect(journal.bytes).to.equal(36);
  });

  it("writes all counts of one turn of the event loop in one write", async () => {
    const one = journal.append("2026-05-02", "key1", 1);
    await Promise.resolve();
    await Promise.all([one, journal.append("2026-05-02", "key2", 1), journal.append("2026-05-02", "key1", 2)]);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key2 1\n2026-05-02 key1 2\n");
    expect(journal.writes).to.equal(1);
  });

  it("writes 256 pending counts without waiting for the end of the turn", async () => {
    const written = Array.from({ length: 300 }, (_, index) => journal.append("2026-05-02", "key1", index + 1));
    let isTurnOver = false;
    setImmediate(() => {
      isTurnOver = true;
    });
    await written[0];
    expect(isTurnOver, "the turn has ended").to.equal(false);
    expect(read(1).split("\n")).to.have.length(256 + 1);
    await Promise.all(written);
    expect(read(1).split("\n")).to.have.length(300 + 1);
    expect(journal.writes).to.equal(2);
  });

  it("writes pending counts on close", async () => {
    const written = journal.append("2026-05-02", "key1", 1);
    journal.close(COUNTS);
    expect(read(1)).to.equal("2026-05-02 key1 1\n");
    await written;
    expect(failures).to.have.length(0);
  });

  it("is deleted on close only if everything is acknowledged", async () => {
    await grow();
    journal.close(COUNTS);
    expect(readdirSync(folder)).to.deep.equal(["instance1.1.journal"]);
    journal = new Journal({ folder, instanceId: "instance2", onFailure: (error) => failures.push(error) });
    journal.close([]);
    expect(readdirSync(folder)).to.deep.equal(["instance1.1.journal"]);
  });

  it("is rotated to a segment with the unacknowledged counts", async () => {
    await grow();
    await journal.append("2026-05-03", "key2", 1);
    journal.rotateIfDue(1, () => [{ day: "2026-05-03", account: "key2", count: 1 }]);
    await journal.append("2026-05-03", "key2", 2);
    expect(readdirSync(folder)).to.deep.equal(["instance1.2.journal"]);
    expect(read(2)).to.equal("2026-05-03 key2 1\n2026-05-03 key2 2\n");
    expect(journal.bytes).to.equal(36);
  });

  it("isn't rotated repeatedly if there are many unacknowledged counts", async () => {
    const large = Array.from({ length: 10 }, (_, index) => ({ day: "2026-05-02", account: `key${index}`, count: 1 }));
    await grow();
    await journal.append("2026-05-02", "key1", 6);
    for (let round = 0; round < 5; round++) journal.rotateIfDue(large.length, () => large);
    expect(readdirSync(folder)).to.deep.equal(["instance1.2.journal"]);
  });

  it("postpones a rotation that has to write many lines", async () => {
    const rotates = () => {
      journal.rotateIfDue(10_001, () => [{ day: "2026-05-02", account: "key1", count: 1 }]);
      return readdirSync(folder).includes("instance1.2.journal");
    };
    // Lines of 18 bytes; due at 100 bytes, or 800 when much is to be written.
    for (let line = 1; line <= 44; line++) await journal.append("2026-05-02", "key1", 1);
    expect(rotates()).to.equal(false);
    await journal.append("2026-05-02", "key1", 1);
    expect(rotates()).to.equal(true);
  });

  it("keeps the old segment if rotation fails", async () => {
    mkdirSync(join(folder, "instance1.2.journal"));
    await grow();
    await journal.append("2026-05-02", "key1", 6);
    journal.rotateIfDue(0, () => []);
    await journal.append("2026-05-02", "key1", 7);
    expect(failures).to.have.length(1);
    expect(read(1).split("\n")).to.have.length(8);
    expect(readdirSync(folder)).to.have.members(["instance1.1.journal", "instance1.2.journal"]);
  });

  it("removes partial lines after the disk was full", async () => {
    journal.close([]);
    const outcomes = ["whole", "half", "none", "none", "whole", "whole"];
    const write = (file: number, text: string) => {
      const outcome = outcomes.shift();
      if (outcome === "none") throw new Error("no space left");
      return writeSync(file, outcome === "half" ? text.slice(0, 9) : text);
    };
    journal = new Journal({ folder, instanceId: "instance1", onFailure: (error) => failures.push(error), write });
    await grow();
    expect(failures.map(({ message }) => message)).to.deep.equal(["no space left", "no space left"]);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 4\n2026-05-02 key1 5\n");
    expect(journal.bytes).to.equal(54);
  });

  it("keeps the complete lines of an incomplete write", async () => {
    journal.close([]);
    const lengths = [40, 0, 18];
    const write = (file: number, text: string) => writeSync(file, text.slice(0, lengths.shift()));
    journal = new Journal({ folder, instanceId: "instance1", onFailure: (error) => failures.push(error), write });
    await Promise.all([1, 2, 3].map((count) => journal.append("2026-05-02", "key1", count)));
    await journal.append("2026-05-02", "key1", 4);
    expect(failures).to.have.length(1);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 2\n2026-05-02 key1 4\n");
    expect(journal.bytes).to.equal(54);
  });

  it("is rotated, although small, once a full disk has space again", async () => {
    journal.close([]);
    let isFull = true;
    const write = (file: number, text: string) => {
      if (isFull) throw new Error("no space left");
      return writeSync(file, text);
    };
    journal = new Journal({ folder, instanceId: "instance1", onFailure: (error) => failures.push(error), write });
    await journal.append("2026-05-02", "key1", 1);
    const counts = [{ day: "2026-05-02", account: "key1", count: 1 }];
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["instance1.1.journal"]);
    isFull = false;
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["instance1.2.journal"]);
    expect(read(2)).to.equal("2026-05-02 key1 1\n");
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["instance1.2.journal"]);
  });

  it("on close, writes the counts that it lacks to the reserve if the disk is still full", async () => {
    journal.close([]);
    const write = () => {
      throw new Error("no space left");
    };
    using reserve = openJournalReserve(folder);
    journal = new Journal({ folder, instanceId: "instance1", onFailure: (error) => failures.push(error), write });
    await journal.append("2026-05-02", "key1", 1);
    expect(journal.isIncomplete).to.equal(true);
    journal.close(COUNTS, reserve);
    expect(journal.isIncomplete).to.equal(false);
    expect(readdirSync(folder)).to.have.members(["instance1.1.journal", "instance1.2.journal"]);
    expect(read(2)).to.equal("2026-05-02 key1 1\n");
  });
});
