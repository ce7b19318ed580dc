import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../domain/clock.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../../runtime/observability/log.ts";
import { encodeLine, openLineFile, readLineFile } from "../files/line-file.ts";
import type { AppendOnlyFile } from "../files/log-file.ts";
import { type AuditEntry, type AuditLog, type AuditPositions, type AuditQuery, matches } from "./audit-log.ts";

/** One line of a file. */
interface StoredEntry {
  entry: AuditEntry;
  positions: AuditPositions;
}

const FILE = /^(\d{4}-\d\d)\.jsonl$/;

/**
 * Opens the audit trail in `<dataDir>/audit`: a file for each month (UTC) in which entries were stored. Files of months that ended before
 * the retention are deleted.
 * @param options.retentionMs how long entries are kept.
 * @throws StartError if the newest file is damaged.
 */
export async function openFileAuditLog(options: {
  dataDir: string;
  retentionMs: number;
  clock: Clock;
  log: Logger;
}): Promise<AuditLog> {
  const { clock, log } = options;
  const folder = join(options.dataDir, "audit");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (month: string) => join(folder, `${month}.jsonl`);
  const monthsBack = async () =>
    (await readdir(folder))
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
  const removeOld = async () => {
    const oldest = monthOf(clock() - options.retentionMs);
    for (const month of await monthsBack()) if (month < oldest) await rm(pathOf(month), { force: true });
  };

  let last: AuditPositions | null = null;
  /** The entries since the last ones whose positions were known when they were stored: only these can be appended again. */
  let recent = new Set<string>();
  const visit = (value: object) => {
    const { entry, positions } = value as StoredEntry;
    if (JSON.stringify(positions) !== JSON.stringify(last)) recent = new Set();
    recent.add(entry.id);
    // A copy, since their owner changes them.
    last = { ...positions };
  };
  let open: { month: string; file: AppendOnlyFile } | undefined;
  const fileFor = async (month: string) => {
    if (open?.month === month) return open.file;
    await open?.file[Symbol.asyncDispose]();
    open = undefined;
    await removeOld();
    open = { month, file: await openLineFile(pathOf(month), { name: "the audit trail", visit, log }) };
    return open.file;
  };
  await removeOld();
  const [newest] = await monthsBack();
  if (newest !== undefined) await fileFor(newest);

  let writing: Promise<unknown> = Promise.resolve();
  const store = async (entries: readonly AuditEntry[], positions: AuditPositions) => {
    const stored = entries.filter(({ id }) => !recent.has(id));
    if (stored.length === 0) return [];
    try {
      const file = await fileFor(monthOf(clock()));
      await file.append(stored.map((entry) => encodeLine({ entry, positions } satisfies StoredEntry)).join(""));
    } catch (cause) {
      throw new ServiceError("unavailable", `the audit trail can't be written: ${(cause as Error).message}`, { cause });
    }
    for (const entry of stored) visit({ entry, positions });
    return stored;
  };

  /** Reads whole files, the newest first, since a line is found only from its file's start. */
  const list = async (query: AuditQuery) => {
    const { since = "", after, pageSize } = query;
    const [, afterMonth, afterLine] = /^(\d{4}-\d\d):([1-9]\d{0,9})$/.exec(after ?? "") ?? [];
    if (after !== null && afterMonth === undefined)
      throw new ServiceError("invalid", "the page token is invalid. Start from the first page");
    const entries: AuditEntry[] = [];
    const months = (await monthsBack()).filter(
      (month) => month >= since.slice(0, 7) && (afterMonth === undefined || month <= afterMonth),
    );
    for (const month of months) {
      const before = month === afterMonth ? Number(afterLine) : Number.POSITIVE_INFINITY;
      /** The last matching entries, with their lines. */
      const found: { line: number; entry: AuditEntry }[] = [];
      let line = 0;
      await readLineFile(pathOf(month), (value) => {
        line += 1;
        const { entry } = value as StoredEntry;
        if (line >= before || !matches(entry, query)) return;
        found.push({ line, entry });
        // One more shows that there is another page.
        if (found.length > pageSize - entries.length + 1) found.shift();
      });
      for (const { line: at, entry } of found.reverse()) {
        if (entries.length === pageSize) return { entries, next: `${month}:${at + 1}` };
        entries.push(entry);
      }
    }
    return { entries, next: null };
  };

  return {
    append: (entries, positions) => {
      const stored = writing.then(() => store(entries, positions));
      writing = stored.catch(() => undefined);
      return stored;
    },
    positions: async () => last,
    list,
    [Symbol.asyncDispose]: async () => {
      await writing;
      await open?.file[Symbol.asyncDispose]();
    },
  };
}
