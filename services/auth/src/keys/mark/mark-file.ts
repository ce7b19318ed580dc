import { existsSync } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { decidedEpoch } from "@geolookup/shared/domain/key-log-epoch.ts";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { keyLogFileIn } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { replaceFile } from "@geolookup/shared/runtime/files/replace-file.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { z } from "zod";

const WRITE_EVERY_MS = 1_000;

export const markSchema = z.object({
  epoch: z.string(),
  sequence: z.int().nonnegative(),
  eventId: z.string(),
  signingKeys: z.array(z.string()),
});

/**
 * How far auth has read its key log, so that it notices if the log loses events, and the IDs of the signing keys that signed keys of
 * the log.
 */
export type StoredMark = KeyLogMark & { signingKeys: string[] };

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
  const parsed = markSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartError(
    `${path} is damaged. It says how many events the key log had. Restore both from a backup; if the key log is whole, delete it`,
  );
}

async function writeMark(path: string, mark: StoredMark): Promise<void> {
  await replaceFile(path, `${JSON.stringify(mark)}\n`);
}

/** The mark of a log that is being followed. */
export interface KeptMark extends AsyncDisposable {
  current(): StoredMark;
  /** The IDs of the signing keys that are known to have signed a key of the log. */
  signingKeys: ReadonlySet<string>;
  /** Adds a signing key that signed a key of the log. */
  signedBy(signingKeyId: string): void;
}

/**
 * Keeps the mark of the log in a file, and shares it: at most once per second, and at the end. It is never ahead of the log.
 * @param options.stored as it was read at the start.
 * @param options.current where the log was read to.
 */
export function keepMark(options: {
  path: string;
  stored: StoredMark | undefined;
  current: () => KeyLogMark;
  share?: ((mark: StoredMark) => Promise<void>) | undefined;
  log: Logger;
}): KeptMark {
  const { path, stored, current, share = async () => undefined, log } = options;
  const signingKeys = new Set(stored?.signingKeys);
  const mark = (): StoredMark => ({ ...current(), signingKeys: [...signingKeys] });
  /** Calls `save` with the mark unless it was saved before. Nothing is worth a mark before the first event. */
  const saver = (what: string, before: StoredMark | undefined, save: (mark: StoredMark) => Promise<void>) => {
    let saved = before;
    let lastReason = "";
    return async () => {
      const next = mark();
      const isSame = saved?.eventId === next.eventId && saved.signingKeys.length === next.signingKeys.length;
      if (isSame || next.sequence === 0) return;
      try {
        await save(next);
        saved = next;
        lastReason = "";
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== lastReason) log.warn({ reason }, `mark of the key log can't be ${what}`);
        lastReason = reason;
      }
    };
  };
  const writeFile = saver("written", stored, async (next) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeMark(path, next);
  });
  const publish = saver("shared", undefined, share);
  const write = async () => void (await Promise.all([writeFile(), publish()]));
  const writing = repeat(WRITE_EVERY_MS, write, log);
  return {
    current: mark,
    signingKeys,
    signedBy: (signingKeyId) => void signingKeys.add(signingKeyId),
    [Symbol.asyncDispose]: async () => {
      await writing[Symbol.asyncDispose]();
      await write();
    },
  };
}

/**
 * Lets the service in a data folder start with an empty key log. The previous one is kept beside it.
 * @returns its path; null if there was none.
 * @throws StartError if the folder doesn't exist, or the service is running.
 */
export async function startNewKeyLog(dataDir: string): Promise<string | null> {
  if (!existsSync(dataDir))
    throw new StartError(`there is no folder ${dataDir}. Set DATA_DIR to the service's data folder`);
  const folder = join(dataDir, "keys");
  using _locked = lockFolder(folder);
  const path = keyLogFileIn(folder);
  const saved = existsSync(path) ? `${path}.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}` : null;
  if (saved !== null) {
    await rename(path, saved);
    await syncFolder(folder);
  }
  const epoch = decidedEpoch("new", Date.now());
  await writeMark(markFileIn(dataDir), { epoch, sequence: 0, eventId: "", signingKeys: [] });
  return saved;
}
