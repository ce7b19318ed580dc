import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { auditEntry, describeAuditLog, listAll } from "./audit-log.suite.ts";
import { openFileAuditLog } from "./file.ts";

const DAY_MS = 86_400_000;
const log = pino({ level: "silent" });

describeAuditLog("files", async () => {
  const dataDir = tempFolder();
  const clock = () => Date.UTC(2026, 0, 5);
  return { open: () => openFileAuditLog({ dataDir, retentionMs: 400 * DAY_MS, clock, log }), remove: async () => {} };
});

describe("the files of the audit trail", () => {
  it("are one for each month, only their owner's, listed together, and deleted after the retention", async () => {
    const dataDir = tempFolder();
    let nowMs = Date.UTC(2026, 0, 31, 23, 59);
    const open = () => openFileAuditLog({ dataDir, retentionMs: 60 * DAY_MS, clock: () => nowMs, log });
    const files = () => readdirSync(join(dataDir, "audit")).sort();
    await using trail = await open();
    const entryNow = (number: number) => auditEntry(number, { at: new Date(nowMs).toISOString() });
    for (const [number, afterMs] of [0, 2 * 60_000, 31 * DAY_MS].entries()) {
      nowMs += afterMs;
      await trail.append([entryNow(2 * number + 1), entryNow(2 * number + 2)], {});
    }
    expect(files()).to.deep.equal(["2026-01.jsonl", "2026-02.jsonl", "2026-03.jsonl"]);
    expect(statSync(join(dataDir, "audit", "2026-01.jsonl")).mode & 0o777).to.equal(0o600);
    const ids = (await listAll(trail, { pageSize: 1 })).map(({ id }) => id);
    expect(ids).to.deep.equal([6, 5, 4, 3, 2, 1].map((number) => `event-${number}`));
    expect(await listAll(trail, { since: "2026-02-15T00:00:00.000Z" })).to.have.length(2);
    // April 2nd: the retention begins on February 1st.
    nowMs = Date.UTC(2026, 3, 2);
    await trail.append([entryNow(7)], {});
    expect(files()).to.deep.equal(["2026-02.jsonl", "2026-03.jsonl", "2026-04.jsonl"]);
    nowMs = Date.UTC(2026, 6, 1);
    await using _again = await open();
    expect(files()).to.deep.equal(["2026-05.jsonl"].slice(1));
  });
});
