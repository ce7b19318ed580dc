import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";
import { type KeyView, keyFromWire } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { issueRequestToWire, type OpenedService } from "../admin-client.ts";
import { invalidFile, type KeyRow, keysCsv, type Problem, parseKeysCsv } from "./key-csv.ts";

const MAX_BATCH_KEYS = 500;
/** Auth reads requests of 1 MB. */
const MAX_BATCH_CHARACTERS = 256 * 1_024;

/** Where the keys are saved before they are issued. */
export interface KeysFile {
  /** "-": standard output. */
  path: string;
  print: (text: string) => void;
}

/**
 * Issues keys, all or none. They are saved before the first one is issued, and after an interruption, the same call issues those that
 * were saved, so that none is issued twice or lost.
 * @param source for messages.
 * @throws StartError naming the invalid rows, or if the file has other keys; ServiceError
 */
export async function issueSaved(
  service: OpenedService,
  rows: readonly KeyRow[],
  file: KeysFile,
  source: string,
): Promise<KeyView[]> {
  const saved = rows.every(({ prepared }) => prepared) ? rows : await savedKeys(rows, file.path);
  return await issue(service, saved ?? (await prepareAndSave(service, rows, file, source)));
}

/** The keys that an interrupted call has saved; null if there are none. @throws StartError if they are others. */
async function savedKeys(rows: readonly KeyRow[], path: string): Promise<KeyRow[] | null> {
  if (path === "-") return null;
  const saved = await keysIn(path);
  if (saved === null) return null;
  if (saved.length !== rows.length || !rows.every((row, index) => isSameKey(row, saved[index])))
    throw new StartError(`${path} exists, and has other keys than these. Nothing was changed. Move it, then try again`);
  return saved;
}

/** Whether a saved row has what another one asks for. */
export function isSameKey(row: KeyRow, saved: KeyRow | undefined): boolean {
  return isDeepStrictEqual(comparable(row, row.isExpiryRelative), comparable(saved, row.isExpiryRelative));
}

function comparable(row: KeyRow | undefined, isExpiryRelative: boolean) {
  return { mayForward: false, ...row?.request, ...(isExpiryRelative && { expiresAt: "" }) };
}

/** The prepared keys of a file; null if there is no file. @throws StartError */
export async function keysIn(path: string): Promise<KeyRow[] | null> {
  try {
    return parseKeysCsv(await readFile(path), path, Date.now());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function prepareAndSave(
  service: OpenedService,
  rows: readonly KeyRow[],
  file: KeysFile,
  source: string,
): Promise<KeyRow[]> {
  const prepared = await prepare(service, rows, source);
  const csv = keysCsv(prepared);
  if (file.path === "-") file.print(csv);
  else await writeNewFile(file.path, csv);
  return prepared;
}

/** Creates keys for rows, which aren't issued yet. @throws StartError naming the invalid rows, and the given problems of others */
export async function prepare(
  service: OpenedService,
  rows: readonly KeyRow[],
  source: string,
  found: readonly Problem[] = [],
): Promise<KeyRow[]> {
  const prepared: KeyRow[] = [];
  const problems = [...found];
  for (const batch of batchesOf(rows)) {
    const keys = batch.map(({ request }) => issueRequestToWire(request));
    const response = await service.call(KEY_ADMIN.PrepareKeys, { keys });
    for (const { index = 0, message = "" } of response.problems)
      problems.push({ place: batch[index]?.place ?? "", message });
    for (const [index, { keyId = "", secret = "" }] of response.keys.entries()) {
      const row = batch[index];
      if (row) prepared.push({ ...row, prepared: { keyId, secret } });
    }
  }
  if (problems.length > 0) throw invalidFile(source, problems);
  return prepared;
}

/** The prepared keys that are issued. */
export async function findIssued(service: OpenedService, rows: readonly KeyRow[]): Promise<Set<KeyRow>> {
  const issued = new Set<KeyRow>();
  for (const batch of batchesOf(rows)) {
    const texts = batch.map(({ prepared }) => prepared?.secret ?? "");
    const { found } = await service.call(KEY_ADMIN.FindKeys, { texts });
    for (const { index = 0 } of found) issued.add(batch[index] as KeyRow);
  }
  return issued;
}

/** Issues prepared keys. Those that are issued already stay as they are. */
export async function issue(service: OpenedService, rows: readonly KeyRow[]): Promise<KeyView[]> {
  const issued: KeyView[] = [];
  for (const batch of batchesOf(rows)) {
    const keys = batch.map(({ request, prepared }) => ({ ...issueRequestToWire(request), ...prepared }));
    const response = await service.call(KEY_ADMIN.IssueKeys, { keys });
    issued.push(...response.keys.map(keyFromWire));
  }
  return issued;
}

function* batchesOf(rows: readonly KeyRow[]): Generator<KeyRow[]> {
  let batch: KeyRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = JSON.stringify(row).length;
    if (batch.length > 0 && (batch.length >= MAX_BATCH_KEYS || characters + length > MAX_BATCH_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(row);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** Writes a file that must not exist yet, readable only for its owner. It is durable and complete once it has its name. */
async function writeNewFile(path: string, content: string): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(partial, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, it never replaces the keys of another call.
    await link(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
  await syncFolder(dirname(resolve(path)));
}
