import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { z } from "zod";

const WRITE_EVERY_MS = 1_000;

const SCHEMA = z.object({
  epoch: z.string(),
  sequence: z.int().nonnegative(),
  eventId: z.string(),
  signingKeys: z.array(z.string()),
  isNewLog: z.literal(true).optional(),
});

/**
 * How far auth has read its key log, so that it notices if the log loses events, and the IDs of the signing keys that signed keys of
 * the log. `isNewLog` is set if a person asked for an empty log.
 */
export type StoredMark = KeyLogMark & { signingKeys: string[]; isNewLog?: true | undefined };

/** The file with the mark of the key log. It isn't in the folder of the log, so that it remains if that is removed. */
export function markFileIn(dataDir: string): string {
  return join(dataDir, "key-log-mark.json");
}

/** @returns undefined if the file doesn't exist. @throws StartError if it can't be used. */
export async function readMark(path: string): Promise<StoredMark | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StartError(`can't read ${path}: ${(error as Error).message}`);
  }
  const parsed = SCHEMA.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartError(
    `${path} is damaged. It says how many events the key log had. Restore both from a backup; if the key log is whole, delete it`,
  );
}

export async function writeMark(path: string, mark: StoredMark): Promise<void> {
  await replaceFile(path, `${JSON.stringify(mark)}\n`);
}

/** The mark of a log that is being followed. */
export interface KeptMark extends AsyncDisposable {
  /** The IDs of the signing keys that are known to have signed a key of the log. */
  signingKeys: ReadonlySet<string>;
  /** Adds a signing key that signed a key of the log. */
  signedBy(signingKeyId: string): void;
}

/**
 * Keeps the mark of the log in a file: at most one write per second, and one at the end. It is never ahead of the log.
 * @param options.stored as it was read at the start.
 * @param options.current where the log was read to.
 */
export function keepMark(options: {
  path: string;
  stored: StoredMark | undefined;
  current: () => KeyLogMark;
  log: Logger;
}): KeptMark {
  const { path, stored, current, log } = options;
  const signingKeys = new Set(stored?.signingKeys);
  let written = { sequence: stored?.sequence ?? 0, eventId: stored?.eventId ?? "", signingKeys: signingKeys.size };
  let lastReason = "";

  const write = async () => {
    const mark = current();
    if (mark.eventId === written.eventId && signingKeys.size === written.signingKeys) return;
    // Nothing is worth a mark before the first event.
    if (mark.sequence === 0) return;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const next = { ...mark, signingKeys: [...signingKeys] };
      await writeMark(path, next);
      written = { ...mark, signingKeys: next.signingKeys.length };
      lastReason = "";
    } catch (error) {
      const reason = (error as Error).message;
      if (reason !== lastReason) log.warn({ path, reason }, "mark of the key log can't be written");
      lastReason = reason;
    }
  };
  const writing = repeat(WRITE_EVERY_MS, write, log);
  return {
    signingKeys,
    signedBy: (signingKeyId) => void signingKeys.add(signingKeyId),
    [Symbol.asyncDispose]: async () => {
      await writing[Symbol.asyncDispose]();
      await write();
    },
  };
}
