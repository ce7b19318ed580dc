import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Journal } from "./journal.ts";

describe("Journal", () => {
  let folder: string;
  let failures: Error[];
  let journal: Journal;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "geolookup-journal-"));
    failures = [];
    journal = new Journal({
      folder,
      instanceId: "boot1",
      onFailure: (error) => failures.push(error),
      rotateAtBytes: 100,
    });
  });
  afterEach(() => {
    journal.close(true);
    rmSync(folder, { recursive: true });
  });
  const read = (segment: number) => readFileSync(join(folder, `boot1.${segment}.journal`), "latin1");
  const grow = async () => {
    for (let count = 1; count <= 5; count++) await journal.append("2026-05-02", "key1", count);
  };

  it("has written a count when append resolves", async () => {
    await journal.append("2026-05-02", "key1", 1);
    expect(read(1)).to.equal("2026-05-02 key1 1\n");
    await journal.append("2026-05-02", "key1", 2);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 2\n");
    expect(journal.bytes).to.equal(36);
  });

  it("writes the counts of one turn of the event loop at once, however far apart in it they come", async () => {
    const one = journal.append("2026-05-02", "key1", 1);
    await Promise.resolve();
    await Promise.all([one, journal.append("2026-05-02", "key2", 1), journal.append("2026-05-02", "key1", 2)]);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key2 1\n2026-05-02 key1 2\n");
    expect(journal.writes).to.equal(1);
  });

  it("writes some hundred counts of a turn without waiting for its end: answers do not pile up", async () => {
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

  it("writes what still waits before it is closed", async () => {
    const written = journal.append("2026-05-02", "key1", 1);
    journal.close(false);
    expect(read(1)).to.equal("2026-05-02 key1 1\n");
    await written;
    expect(failures).to.have.length(0);
  });

  it("is deleted on close when everything is acknowledged, else kept", async () => {
    await grow();
    journal.close(false);
    expect(readdirSync(folder)).to.deep.equal(["boot1.1.journal"]);
    journal = new Journal({ folder, instanceId: "boot2", onFailure: (error) => failures.push(error) });
    journal.close(true);
    expect(readdirSync(folder)).to.deep.equal(["boot1.1.journal"]);
  });

  it("is not written anew while it is small", async () => {
    await journal.append("2026-05-02", "key1", 1);
    journal.rotateIfDue(0, () => []);
    expect(readdirSync(folder)).to.deep.equal(["boot1.1.journal"]);
  });

  it("is written anew with what is not acknowledged, and goes on there", async () => {
    await grow();
    await journal.append("2026-05-03", "key2", 1);
    journal.rotateIfDue(1, () => [{ day: "2026-05-03", keyId: "key2", count: 1 }]);
    await journal.append("2026-05-03", "key2", 2);
    expect(readdirSync(folder)).to.deep.equal(["boot1.2.journal"]);
    expect(read(2)).to.equal("2026-05-03 key2 1\n2026-05-03 key2 2\n");
    expect(journal.bytes).to.equal(36);
  });

  it("is not written anew all the time when what is not acknowledged is large", async () => {
    const large = Array.from({ length: 10 }, (_, index) => ({ day: "2026-05-02", keyId: `key${index}`, count: 1 }));
    await grow();
    await journal.append("2026-05-02", "key1", 6);
    for (let round = 0; round < 5; round++) journal.rotateIfDue(large.length, () => large);
    expect(readdirSync(folder)).to.deep.equal(["boot1.2.journal"]);
  });

  it("is written anew later when there is much to write", async () => {
    const rotates = () => {
      journal.rotateIfDue(10_001, () => [{ day: "2026-05-02", keyId: "key1", count: 1 }]);
      return readdirSync(folder).includes("boot1.2.journal");
    };
    // Lines of 18 bytes; due at 100 bytes, or 800 when much is to be written.
    for (let line = 1; line <= 44; line++) await journal.append("2026-05-02", "key1", 1);
    expect(rotates()).to.equal(false);
    await journal.append("2026-05-02", "key1", 1);
    expect(rotates()).to.equal(true);
  });

  it("goes on as it is when it cannot be written anew", async () => {
    mkdirSync(join(folder, "boot1.2.journal"));
    await grow();
    await journal.append("2026-05-02", "key1", 6);
    journal.rotateIfDue(0, () => []);
    await journal.append("2026-05-02", "key1", 7);
    expect(failures).to.have.length(1);
    expect(read(1).split("\n")).to.have.length(8);
    expect(readdirSync(folder)).to.have.members(["boot1.1.journal", "boot1.2.journal"]);
  });

  it("leaves no part of a line in the middle when a disk was full for a while", async () => {
    journal.close(true);
    const outcomes = ["whole", "half", "none", "whole", "whole"];
    const write = (file: number, text: string) => {
      const outcome = outcomes.shift();
      if (outcome === "none") throw new Error("no space left");
      return writeSync(file, outcome === "half" ? text.slice(0, 9) : text);
    };
    journal = new Journal({ folder, instanceId: "boot1", onFailure: (error) => failures.push(error), write });
    await grow();
    expect(failures).to.have.length(2);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 4\n2026-05-02 key1 5\n");
    expect(journal.bytes).to.equal(54);
  });

  it("keeps the whole lines of a write that was cut short", async () => {
    journal.close(true);
    const lengths = [40, 18];
    const write = (file: number, text: string) => writeSync(file, text.slice(0, lengths.shift()));
    journal = new Journal({ folder, instanceId: "boot1", onFailure: (error) => failures.push(error), write });
    await Promise.all([1, 2, 3].map((count) => journal.append("2026-05-02", "key1", count)));
    await journal.append("2026-05-02", "key1", 4);
    expect(failures).to.have.length(1);
    expect(read(1)).to.equal("2026-05-02 key1 1\n2026-05-02 key1 2\n2026-05-02 key1 4\n");
    expect(journal.bytes).to.equal(54);
  });

  it("is written anew once a disk that was full has room again, though it is small", async () => {
    journal.close(true);
    let isFull = true;
    const write = (file: number, text: string) => {
      if (isFull) throw new Error("no space left");
      return writeSync(file, text);
    };
    journal = new Journal({ folder, instanceId: "boot1", onFailure: (error) => failures.push(error), write });
    await journal.append("2026-05-02", "key1", 1);
    const counts = [{ day: "2026-05-02", keyId: "key1", count: 1 }];
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["boot1.1.journal"]);
    isFull = false;
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["boot1.2.journal"]);
    expect(read(2)).to.equal("2026-05-02 key1 1\n");
    journal.rotateIfDue(1, () => counts);
    expect(readdirSync(folder)).to.deep.equal(["boot1.2.journal"]);
  });

  it("reports a count that comes after it was closed, and writes to no file", async () => {
    journal.close(false);
    await journal.append("2026-05-02", "key1", 1);
    expect(failures).to.have.length(1);
    expect(read(1)).to.equal("");
  });
});
