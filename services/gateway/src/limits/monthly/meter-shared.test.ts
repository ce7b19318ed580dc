import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { meterFixture } from "./testing/meter-fixture.ts";

const DAY = "2026-05-02";

describe("meters that share a folder", () => {
  const fixture = meterFixture();
  const leave = (number: number, instanceId: string, count: number) => {
    const folder = `${fixture.folders.journals}-${number}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${instanceId}.1.journal`), `${DAY} key1 ${count}\n`);
    return folder;
  };
  const journalsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".journal"));

  it("recover at start the journals in all folders", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    const [second, ninth] = [leave(2, "crashed2", 5), leave(9, "crashed9", 30)];
    await fixture.open({ isShared: true });
    expect(await fixture.total()).to.equal(35);
    expect([...journalsIn(second), ...journalsIn(ninth)]).to.deep.equal([]);
    expect(await fixture.isAdmitted(35), "it counts against the quota").to.equal(false);
    expect(await fixture.isAdmitted(36)).to.equal(true);
  });

  it("recover later the journal of a gateway that is killed", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    await fixture.open({ isShared: true, flushIntervalMs: 5, abandonedCheckIntervalMs: 5 });
    expect(await fixture.total()).to.equal(0);
    const folder = leave(3, "killed", 12);
    await waitFor("the counts to be published", async () => (await fixture.total()) === 12, 5_000);
    await waitFor("the journal to be gone", () => journalsIn(folder).length === 0, 5_000);
  });

  it("ignore other folders unless the folder is shared", async () => {
    await fixture.meter[Symbol.asyncDispose]();
    const folder = leave(2, "anothers", 5);
    await fixture.open({ flushIntervalMs: 5, abandonedCheckIntervalMs: 5 });
    await fixture.count(1);
    await waitFor("a flush", async () => (await fixture.total()) === 1, 5_000);
    expect(journalsIn(folder)).to.have.length(1);
  });
});
