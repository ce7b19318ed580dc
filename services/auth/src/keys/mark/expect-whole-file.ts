import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FoundKeyLogFile } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import { decideKeyLog, type KeyLogWitness } from "./key-log-loss.ts";
import { markFileIn, type StoredMark } from "./mark-file.ts";

const KEY_ID = /\bkey_[0-9A-Za-z]{12}\b/;
/** Enough for the first counts of a file. */
const MAX_BYTES_READ = 1 << 20;

/**
 * Checks that the key log in a data folder is whole: it has what the mark says, and isn't empty while other files in the folder name
 * keys.
 * @throws StartError naming what shows that keys existed.
 */
export async function expectWholeFile(
  dataDir: string,
  stored: StoredMark | undefined,
  found: FoundKeyLogFile,
): Promise<void> {
  const markFile = markFileIn(dataDir);
  const witnesses: KeyLogWitness[] =
    found.lastSequence > 0 || stored
      ? []
      : (await filesNamingKeys(dataDir)).map((name) => ({ name, keysExisted: true }));
  // A file has no epoch of its own.
  const epoch = stored?.epoch ?? "";
  if (stored) witnesses.push({ ...stored, name: `${markFile} says that it had ${stored.sequence} events` });
  const state = decideKeyLog({ ...found, epoch }, witnesses);
  if (state.kind !== "lost") return;
  // Only the mark notices this; the other files are for the operator.
  const others = stored && found.lastSequence === 0 ? await filesNamingKeys(dataDir) : [];
  throw new StartError(
    `the key log ${found.path} lost keys: ${describe(found)}, but ${[...state.shownBy, ...others].join("; ")}. Nothing was ` +
      "changed. Restore the data folder from a backup. Or, to start without keys, so that all issued keys are invalid, run: " +
      `DATA_DIR=${quoteForShell(dataDir)} ./geolookup keys log --new`,
  );
}

function describe({ exists, lastSequence }: FoundKeyLogFile): string {
  if (!exists) return "it is missing";
  if (lastSequence === 0) return "it is empty";
  return `it has ${lastSequence} ${lastSequence === 1 ? "event" : "events"}`;
}

/** @returns for each file besides the key log that names a key: which one. */
async function filesNamingKeys(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => []);
  const folders = ["usage-log", ...names.filter((name) => /^journals(-\d+)?$/.test(name))];
  const inFolders = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(dataDir, folder)).catch(() => [])).map((name) => join(folder, name)),
    ),
  );
  const named: string[] = [];
  for (const file of ["demo-key.json", ...inFolders.flat().filter((name) => /\.(jsonl|journal)$/.test(name))]) {
    const path = join(dataDir, file);
    const keyId = await firstKeyIdIn(path).catch(() => undefined);
    if (keyId !== undefined) named.push(`${path} names the key ${keyId}`);
  }
  return named;
}

async function firstKeyIdIn(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES_READ), 0, MAX_BYTES_READ, 0);
    return KEY_ID.exec(buffer.toString("latin1", 0, bytesRead))?.[0];
  } finally {
    await file.close();
  }
}
