import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { KeyEvent, KeyLog, KeyLogFollower } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import { syncFolder, writeAll } from "../../../runtime/files/files.ts";
import { lockFolder } from "../../../runtime/files/folder-lock.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { addToKeyLogIndex, type KeyLogIndex, placeEvents } from "../index.ts";
import { scanLines, verifyKeyLog } from "./file.ts";
import { decodeKeyLogLine, encodeKeyLogLine, KEY_LOG_HEADER } from "./line.ts";
import { mendKeyLog } from "./repair.ts";

interface Waiting {
  event: KeyEvent;
  resolve: (sequence: number) => void;
  reject: (error: Error) => void;
}

/**
 * Opens the key log kept in `<folder>/events.jsonl`, creating it if needed, and takes the folder
 * for this process. Appends are written and synced together, in order. A last line that a crash
 * cut short is mended, and said so in the log.
 * @param options.openFile how the file is opened; tests pass one whose disk fills up.
 * @throws StartError when the folder cannot be had, or the file is damaged (then nothing is touched).
 */
export async function openFileKeyLog(options: {
  folder: string;
  log: Logger;
  openFile?: (path: string) => Promise<FileHandle>;
}): Promise<KeyLog> {
  const unlock = lockFolder(options.folder);
  const path = join(options.folder, "events.jsonl");
  let file: FileHandle | undefined;
  try {
    file = await (options.openFile ?? openForAppending)(path);
    const verified = await verifyKeyLog(file, path);
    const size = await mendKeyLog(file, path, verified, options.log);
    await syncFolder(options.folder);
    return new FileKeyLog(file, verified.index, size, unlock);
  } catch (error) {
    await file?.close();
    unlock();
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot open the key log ${path}: ${(error as Error).message}`);
  }
}

class FileKeyLog implements KeyLog {
  #file: FileHandle;
  #index: KeyLogIndex;
  /** Bytes that are durable; whatever stands behind them is no part of the log. */
  #size: number;
  /** A write failed half-way: what stands behind #size must be cut off first. */
  #dirty = false;
  #unlock: () => void;
  #queue: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #followers: KeyLogFollower[] = [];
  /** Another at each opening: nobody watched the file in between, it may have been put back. */
  #epoch = randomUUID();
  #closed = false;

  constructor(file: FileHandle, index: KeyLogIndex, size: number, unlock: () => void) {
    this.#file = file;
    this.#index = index;
    this.#size = size;
    this.#unlock = unlock;
  }

  append(event: KeyEvent): Promise<number> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ event, resolve, reject });
      this.#writing ??= this.#writeQueue();
    });
  }

  async follow(follower: KeyLogFollower): Promise<void> {
    follower.restart(this.#epoch);
    let position = KEY_LOG_HEADER.length;
    while (position < this.#size) {
      const to = this.#size;
      await this.#scan(position, to, (line) => {
        const { event, sequence } = decodeKeyLogLine(line);
        apply(follower, event, sequence);
      });
      position = to;
    }
    // No await since the last look at #size: the next event comes live.
    this.#followers.push(follower);
    follower.caughtUp();
  }

  async eventsOf(keyId: string): Promise<KeyEvent[]> {
    const events: KeyEvent[] = [];
    if (!this.#index.versions.has(keyId)) return events;
    const needle = JSON.stringify(keyId);
    await this.#scan(KEY_LOG_HEADER.length, this.#size, (line) => {
      if (!line.includes(needle)) return;
      const { event } = decodeKeyLogLine(line);
      if (event.keyId === keyId) events.push(event);
    });
    return events;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.#file.close();
    this.#unlock();
  }

  async #scan(from: number, to: number, visit: (line: Buffer) => void): Promise<void> {
    try {
      await scanLines(this.#file, { from, to }, visit);
    } catch (error) {
      throw this.#closed ? closedError() : error;
    }
  }

  async #writeQueue(): Promise<void> {
    while (this.#queue.length > 0) await this.#writeBatch(this.#queue.splice(0));
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const placed = placeEvents(
      this.#index,
      batch.map((waiting) => waiting.event),
    );
    const stored: { event: KeyEvent; sequence: number }[] = [];
    for (const [i, { event }] of batch.entries()) {
      const placement = placed[i];
      if (placement && "stored" in placement && placement.stored === "now")
        stored.push({ event, sequence: placement.sequence });
    }
    try {
      await this.#write(stored.map(({ event, sequence }) => encodeKeyLogLine(sequence, event)).join(""));
    } catch (error) {
      const text = `the key log cannot be written, nothing was changed: ${(error as Error).message}`;
      for (const { reject } of batch) reject(new ServiceError("unavailable", text, { cause: error }));
      return;
    }
    for (const { event, sequence } of stored) {
      addToKeyLogIndex(this.#index, event);
      for (const follower of this.#followers) tell(follower, event, sequence);
    }
    for (const [i, { resolve, reject }] of batch.entries()) {
      const placement = placed[i];
      if (placement && "sequence" in placement) resolve(placement.sequence);
      else if (placement) reject(placement.conflict);
    }
  }

  /** Writes behind the durable bytes and syncs; after a failure the file is as it was. */
  async #write(text: string): Promise<void> {
    if (text === "") return;
    try {
      if (this.#dirty) await this.#cutBack();
      const length = await writeAll(this.#file, text, this.#size);
      await this.#file.datasync();
      this.#size += length;
    } catch (error) {
      this.#dirty = true;
      // Cutting back can fail as well; then the next append tries again before it writes.
      await this.#cutBack().catch(() => undefined);
      throw error;
    }
  }

  async #cutBack(): Promise<void> {
    await this.#file.truncate(this.#size);
    await this.#file.datasync();
    this.#dirty = false;
  }
}

/** The file was checked when it was opened: every event follows what came before. */
function apply(follower: KeyLogFollower, event: KeyEvent, sequence: number): void {
  if (!follower.apply(event, sequence))
    throw new Error(
      `event ${sequence}, version ${event.version} of key ${event.keyId}, does not follow what came before`,
    );
}

/** A follower that throws ends the process: going on, its view would silently differ from the log. */
function tell(follower: KeyLogFollower, event: KeyEvent, sequence: number): void {
  try {
    apply(follower, event, sequence);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function closedError(): ServiceError {
  return new ServiceError("unavailable", "the key log is closed: the service is stopping");
}

function openForAppending(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}
