import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";

const KEY_BYTES = 32;
const MIN_CHARACTERS = 32;
/** Longer than any reasonable key. */
const MAX_CHARACTERS = 1_024;

/** Authenticates backups. */
export interface BackupKey {
  path: string;
  /** Identifies the key without revealing anything about it. */
  id: string;
  secret: string;
}

/** Where the backup key is: BACKUP_KEY_FILE, or `backup-key` in DATA_DIR. @throws StartError */
function backupKeyFileOf(environment: NodeJS.ProcessEnv): { path: string; isNamed: boolean } {
  const env = readEnvironment(
    z.object({ BACKUP_KEY_FILE: z.string().optional(), DATA_DIR: z.string().default("data") }),
    environment,
  );
  const path = env.BACKUP_KEY_FILE ?? join(env.DATA_DIR, "backup-key");
  return { path, isNamed: env.BACKUP_KEY_FILE !== undefined };
}

/** The key for a new backup. It is created (mode 0600) if there is none and BACKUP_KEY_FILE is unset. @throws StartError */
export async function keyForBackup(environment: NodeJS.ProcessEnv): Promise<BackupKey & { isNew: boolean }> {
  const { path, isNamed } = backupKeyFileOf(environment);
  const present = await readKey(path);
  if (present) return { ...present, isNew: false };
  if (isNamed)
    throw new StartError(
      `there is no backup key ${path} (BACKUP_KEY_FILE). Restore it, or create one: ` +
        `(umask 077; openssl rand -hex 32 > ${path})`,
    );
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw new StartError(`can't create the backup key ${path}: ${(error as Error).message}`);
  }
  const created = await readKey(path);
  if (!created) throw new StartError(`the backup key ${path} has disappeared`);
  return { ...created, isNew: true };
}

/** The key that backups were made with. @throws StartError if it is missing. */
export async function keyForRestore(environment: NodeJS.ProcessEnv): Promise<BackupKey> {
  const { path } = backupKeyFileOf(environment);
  const key = await readKey(path);
  if (key) return key;
  throw new StartError(
    `there is no backup key ${path}, which is needed to check whether this backup was changed. Put your copy of the key ` +
      "there, or set BACKUP_KEY_FILE to it",
  );
}

async function readKey(path: string): Promise<BackupKey | null> {
  let text: string;
  try {
    text = (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new StartError(`the backup key ${path} can't be read: ${(error as Error).message}`);
  }
  if (text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS)
    throw new StartError(`the backup key ${path} must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`);
  return { path, secret: text, id: codeOf(text, "geolookup backup key id").slice(0, 8) };
}

/** The text of an archive's CODE file: the key's id, and the authentication code of its sums. */
export function authenticate(key: BackupKey, sums: string | Buffer): string {
  return `${key.id} ${codeOf(key.secret, "geolookup backup 2\n", sums)}\n`;
}

/**
 * Checks a CODE file against the sums and this key.
 * @returns the problem, or null.
 */
export function problemOfCode(key: BackupKey, sums: Buffer, code: Buffer): string | null {
  const expected = Buffer.from(authenticate(key, sums));
  if (expected.length === code.length && timingSafeEqual(expected, code)) return null;
  const keyId = /^([0-9a-f]{8}) [0-9a-f]{64}\n$/.exec(code.toString("latin1"))?.[1];
  return keyId === undefined || keyId === key.id
    ? "it was changed after it was made (its authentication code differs)"
    : `it was made with the backup key ${keyId}, and ${key.path} is ${key.id}`;
}

function codeOf(secret: string, ...parts: (string | Buffer)[]): string {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}
