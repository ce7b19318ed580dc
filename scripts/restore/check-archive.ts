import { createHash } from "node:crypto";
import { opendir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CODE, filesOf, MANIFEST, type Manifest, manifestSchema, SUMS, VERSION } from "../backup/archive.ts";
import { digestOf, readSmallFile } from "../backup/archive-file.ts";
import { type BackupKey, problemOfCode } from "../backup/backup-key.ts";

/** The limit for sums, manifest and authentication code, which have a few hundred bytes each. */
const MAX_SMALL_FILE_BYTES = 16 * 1024;

export interface CheckedArchive {
  manifest: Manifest;
  sums: ReadonlyMap<string, string>;
}

/**
 * Checks that an archive is what `./geolookup backup` wrote, byte for byte, before anything in it is parsed: first the
 * authentication code of its checksums, then the manifest's checksum, then size and checksum of each file, and that there is no
 * other file.
 * @param key null skips authentication: then only accidental damage is noticed.
 * @returns its manifest, and the SHA-256 of each file.
 * @throws StartError saying what is wrong with it.
 */
export async function checkArchive(folder: string, key: BackupKey | null): Promise<CheckedArchive> {
  const name = basename(resolve(folder));
  const damaged = (what: string) => new StartError(`the backup ${name} is damaged: ${what}. Use another backup`);
  const sumsText = await readSums(folder, name);
  if (key) await authenticateSums(folder, name, key, sumsText);
  const sums = parseSums(sumsText.toString("latin1"));
  if (!sums) throw damaged(`${SUMS} has an invalid line`);

  const manifestText = await readSmallFile(join(folder, MANIFEST), MAX_SMALL_FILE_BYTES).catch((error: Error) =>
    Promise.reject(new StartError(`the backup ${name} is incomplete: can't read ${MANIFEST}: ${error.message}`)),
  );
  const expectSum = async (file: string, bytes: number) => {
    const problem = await problemOfFile(folder, name, { file, sum: sums.get(file), bytes });
    if (problem) throw damaged(problem);
  };
  // Checks the bytes that are parsed below, not those on disk.
  if (createHash("sha256").update(manifestText).digest("hex") !== sums.get(MANIFEST))
    throw damaged(`${MANIFEST} was changed (its checksum differs)`);
  const manifest = parseManifest(manifestText.toString("utf8"), name);
  for (const file of filesOf(manifest)) await expectSum(file, manifest.bytes[file] ?? 0);
  await refuseOthers(folder, name, new Set([SUMS, CODE, MANIFEST, ...filesOf(manifest)]));
  return { manifest, sums };
}

/** @returns a file's problem, or null. @throws StartError when it can't be read. */
async function problemOfFile(
  folder: string,
  name: string,
  { file, sum, bytes }: { file: string; sum: string | undefined; bytes: number },
): Promise<string | null> {
  if (sum === undefined) return `${SUMS} doesn't list ${file}`;
  const found = await digestOf(join(folder, file), bytes).catch((error: Error) =>
    Promise.reject(new StartError(`the backup ${name} is incomplete: can't read ${file}: ${error.message}`)),
  );
  if (found.bytes !== bytes) return `${file} doesn't have the ${bytes} bytes that the manifest lists`;
  return found.sha256 === sum ? null : `${file} was changed (its checksum differs)`;
}

/** @throws StartError if the folder has a file that isn't part of the backup. */
async function refuseOthers(folder: string, name: string, own: ReadonlySet<string>): Promise<void> {
  for await (const { name: file } of await opendir(folder))
    if (!own.has(file))
      throw new StartError(
        `the backup ${name} has a file that isn't part of it: ${JSON.stringify(file)}. Nothing was restored. Find out who put it ` +
          "there, remove it, and restore again",
      );
}

async function readSums(folder: string, name: string): Promise<Buffer> {
  return readSmallFile(join(folder, SUMS), MAX_SMALL_FILE_BYTES).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
    throw new StartError(
      isMissing
        ? `${folder} isn't a backup of geolookup: it has no ${SUMS}. Name a folder created by \`./geolookup backup\``
        : `the backup ${name} can't be read: ${SUMS}: ${error.message}. Make it readable for the user who runs the restore`,
    );
  });
}

async function authenticateSums(folder: string, name: string, key: BackupKey, sums: Buffer): Promise<void> {
  const code = await readSmallFile(join(folder, CODE), MAX_SMALL_FILE_BYTES).catch((error: Error) => {
    throw new StartError(
      `the backup ${name} can't be authenticated: can't read ${CODE}: ${error.message}. Nothing in it was read. ` +
        "If you are sure that nobody has changed it, use --unauthenticated",
    );
  });
  const problem = problemOfCode(key, sums, code);
  if (problem) throw new StartError(`the backup ${name} is refused: ${problem}. Nothing was restored`);
}

/** @returns null if a line is invalid, or a file is listed twice. */
function parseSums(text: string): Map<string, string> | null {
  const sums = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, sum = "", file = ""] = /^([0-9a-f]{64}) {2}(\w[\w.-]*)$/.exec(line) ?? [];
    if (file === "" || sums.has(file)) return null;
    sums.set(file, sum);
  }
  return sums;
}

function parseManifest(text: string, name: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new StartError(`the backup ${name} is damaged: its ${MANIFEST} can't be read`);
  }
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown };
  if (format === "geolookup-backup" && version !== VERSION)
    throw new StartError(
      `the backup ${name} has format version ${JSON.stringify(version)}; this version of geolookup reads ` +
        `${VERSION}: restore it with the version that made it`,
    );
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw new StartError(`${name} isn't a backup of geolookup: its ${MANIFEST} is invalid`);
  return parsed.data;
}
