import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { KeyLogMark } from "@geolookup/shared/domain/key-event.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { SigningRing } from "../../signing/signing-ring.ts";
import type { KeyRegistry } from "../key-registry.ts";
import { readSnapshot, writeSnapshot } from "./snapshot-file.ts";

/** Events that are read in less than 0.1 s. */
const EVENTS_PER_SNAPSHOT = 10_000;
const CHECK_EVERY_MS = 60_000;
/** After this long, no process is writing the file any more. */
const LEFTOVER_AFTER_MS = 3_600_000;

export interface SnapshotOptions {
  path: string;
  registry: KeyRegistry;
  /** The current signing keys. */
  ring: () => SigningRing;
  log: Logger;
}

/**
 * Loads the stored keys into a registry. If they can't be used, logs why.
 * @returns where in the key log to continue; undefined for its start.
 */
export async function restoreKeys({ path, registry, ring, log }: SnapshotOptions): Promise<KeyLogMark | undefined> {
  try {
    const restored = await readSnapshot(path, ring());
    if (!restored) return undefined;
    registry.restore(restored);
    log.info({ keys: registry.size(), sequence: restored.mark.sequence }, "key snapshot read");
    return restored.mark;
  } catch (error) {
    log.warn({ path, reason: (error as Error).message }, "key snapshot ignored; reading the whole key log");
    return undefined;
  }
}

/**
 * Replaces the snapshot once `eventsPerSnapshot` events were applied since the last one: now if so, and then once a minute.
 * @param options.restored of the snapshot that was read.
 * @returns ends it; a snapshot that is being written is discarded.
 */
export function keepSnapshot(
  options: SnapshotOptions & { restored: KeyLogMark | undefined; eventsPerSnapshot?: number },
): AsyncDisposable {
  const { path, registry, ring, log, eventsPerSnapshot = EVENTS_PER_SNAPSHOT } = options;
  const ended = new AbortController();
  let last = options.restored;
  let lastReason = "";

  const isDue = () => {
    const { epoch, sequence } = registry.position();
    return sequence - (last?.epoch === epoch ? last.sequence : 0) >= eventsPerSnapshot;
  };
  const write = async () => {
    const snapshot = isDue() ? registry.copy() : undefined;
    if (!snapshot) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await removeLeftovers(path);
    await writeSnapshot(path, snapshot, ring().active, ended.signal);
    last = snapshot.mark;
    log.info({ keys: snapshot.keys.count, sequence: last.sequence }, "key snapshot written");
  };
  const writeOrLog = async () => {
    try {
      await write();
      lastReason = "";
    } catch (error) {
      const reason = (error as Error).message;
      if (!ended.signal.aborted && reason !== lastReason) log.warn({ path, reason }, "key snapshot can't be written");
      lastReason = reason;
    }
  };
  const first = writeOrLog();
  const repeated = repeat(CHECK_EVERY_MS, () => first.then(writeOrLog), log);
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await Promise.all([first, repeated[Symbol.asyncDispose]()]);
    },
  };
}

/** Removes what a process left that ended while it was writing. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!(name.startsWith(`${basename(path)}.`) && name.endsWith(".tmp"))) continue;
    const leftover = join(folder, name);
    if (Date.now() - (await stat(leftover)).mtimeMs > LEFTOVER_AFTER_MS) await rm(leftover, { force: true });
  }
}
