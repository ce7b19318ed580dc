import { randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "@prometheus-io/client";
import { type KeyEvent, type KeyLog, type KeyLogFollower, keyLogClosed } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import { syncFolder } from "../../../runtime/files/files.ts";
import { lockFolder } from "../../../runtime/files/folder-lock.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { exposeWriteFailures } from "../../../runtime/observability/write-failures.ts";
import { AppendOnlyFile } from "../../files/log-file.ts";
import {
  decodeKeyLogLine,
  encodeKeyLogLine,
  KEY_LOG_HEADER,
  repairKeyLog,
  scanKeyLog,
  verifyKeyLog,
} from "./key-log-file.ts";
import { addToKeyLogIndex, type KeyLogIndex, placeEvents } from "./key-log-index.ts";

/** A key log's file as it was found. */
export interface FoundKeyLogFile {
  path: string;
  exists: boolean;
  /** The number of its events. */
  lastSequence: number;
  hasEvent(eventId: string, sequence: number): boolean;
}

interface Waiting {
  event: KeyEvent;
  resolve: (sequence: number) => void;
  reject: (error: Error) => void;
}

/**
 * Opens the key log in `<folder>/events.jsonl`, creating it if needed, and locks the folder
 * for this process. Concurrent appends are written and synced together, in order. An incomplete last line, left by a
 * crash, is removed and logged.
 * @param options.check called before anything is created or changed; if it throws, nothing is.
 * @param options.registry says while the file can't be written, and why.
 * @param options.openFile opens the file; tests simulate a full disk.
 * @throws StartError if the folder can't be locked, or the file is damaged (then it isn't changed); what `check` throws.
 */
export async function openFileKeyLog(options: {
  folder: string;
  log: Logger;
  registry?: Registry;
  check?: (found: FoundKeyLogFile) => Promise<void>;
  openFile?: (path: string) => Promise<FileHandle>;
}): Promise<KeyLog> {
  const { folder, check = async () => undefined } = options;
  await using opened = new AsyncDisposableStack();
  const path = keyLogFileIn(folder);
  if (!existsSync(path)) await check({ path, exists: false, lastSequence: 0, hasEvent: () => false });
  opened.use(lockFolder(folder));
  try {
    const file = opened.use(await (options.openFile ?? openForAppending)(path));
    const verified = await verifyKeyLog(file, path);
    const { count: lastSequence, sequences } = verified.index;
    const hasEvent = (eventId: string, sequence: number) => sequences.get(eventId) === sequence;
    await check({ path, exists: true, lastSequence, hasEvent });
    const size = await repairKeyLog(file, path, verified, options.log);
    await syncFolder(folder);
    const writes = options.registry && exposeWriteFailures(options.registry, options.log);
    const onWrite = (error?: unknown) => (error === undefined ? writes?.succeeded(path) : writes?.failed(path, error));
    return new FileKeyLog(new AppendOnlyFile(file, size), verified.index, opened.move(), onWrite);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`can't open the key log ${path}: ${(error as Error).message}`);
  }
}

/** The log's file in its folder. */
export function keyLogFileIn(folder: string): string {
  return join(folder, "events.jsonl");
}

class FileKeyLog implements KeyLog {
  #file: AppendOnlyFile;
  #index: KeyLogIndex;
  /** The folder's lock, and the file. */
  #opened: AsyncDisposableStack;
  #onWrite: (error?: unknown) => void;
  #queue: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #followers: KeyLogFollower[] = [];
  /** New whenever the log is opened: an older file may have been restored in the meantime. */
  #epoch = randomUUID();
  #closed = false;

  constructor(
    file: AppendOnlyFile,
    index: KeyLogIndex,
    opened: AsyncDisposableStack,
    onWrite: (error?: unknown) => void,
  ) {
    this.#file = file;
    this.#onWrite = onWrite;
    this.#index = index;
    this.#opened = opened;
  }

  append(event: KeyEvent): Promise<number> {
    if (this.#closed) return Promise.reject(keyLogClosed());
    return new Promise((resolve, reject) => {
      this.#queue.push({ event, resolve, reject });
      this.#writing ??= this.#writeQueue();
    });
  }

  async follow(follower: KeyLogFollower): Promise<void> {
    follower.restart(this.#epoch);
    let position = KEY_LOG_HEADER.length;
    while (position < this.#file.size) {
      const to = this.#file.size;
      await this.#scan(position, to, (line) => {
        const { event, sequence } = decodeKeyLogLine(line);
        apply(follower, event, sequence);
      });
      position = to;
    }
    // No await since the size was compared, so the next event is live.
    this.#followers.push(follower);
    follower.caughtUp();
  }

  positionAgeMs(): number {
    return 0;
  }

  lacking(): undefined {
    return undefined;
  }

  async eventsOf(keyId: string): Promise<KeyEvent[]> {
    const events: KeyEvent[] = [];
    if (!this.#index.versions.has(keyId)) return events;
    const needle = JSON.stringify(keyId);
    await this.#scan(KEY_LOG_HEADER.length, this.#file.size, (line) => {
      if (!line.includes(needle)) return;
      const { event } = decodeKeyLogLine(line);
      if (event.keyId === keyId) events.push(event);
    });
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.#opened.disposeAsync();
  }

  async #scan(from: number, to: number, visit: (line: Buffer) => void): Promise<void> {
    try {
      await scanKeyLog(this.#file.file, { from, to }, visit);
    } catch (error) {
      throw this.#closed ? keyLogClosed() : error;
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
      if (stored.length > 0)
        await this.#file.append(stored.map(({ event, sequence }) => encodeKeyLogLine(sequence, event)).join(""));
      if (stored.length > 0) this.#onWrite();
    } catch (error) {
      this.#onWrite(error);
      const text = `the key log can't be written; nothing was changed: ${(error as Error).message}`;
      for (const { reject } of batch) reject(new ServiceError("unavailable", text, { cause: error }));
      return;
    }
    for (const { event, sequence } of stored) {
      addToKeyLogIndex(this.#index, event);
      for (const follower of this.#followers) deliver(follower, event, sequence);
    }
    for (const [i, { resolve, reject }] of batch.entries()) {
      const placement = placed[i];
      if (placement && "sequence" in placement) resolve(placement.sequence);
      else if (placement) reject(placement.conflict);
    }
  }
}

/** The file was checked when it was opened, so every event follows the previous ones. */
function apply(follower: KeyLogFollower, event: KeyEvent, sequence: number): void {
  if (!follower.apply(event, sequence))
    throw new Error(
      `event ${sequence}, version ${event.version} of key ${event.keyId}, doesn't follow the events before it`,
    );
}

/** A follower that throws ends the process: otherwise its state would silently diverge from the log. */
function deliver(follower: KeyLogFollower, event: KeyEvent, sequence: number): void {
  try {
    apply(follower, event, sequence);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function openForAppending(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}
