import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import { digestOf } from "./archive-file.ts";
import { authenticate, type BackupKey } from "./backup-key.ts";

/** The version of the archive format. */
export const VERSION = 2;
export const SUMS = "SHA256SUMS";
export const MANIFEST = "manifest.json";
/** The file with the HMAC of SHA256SUMS. */
export const CODE = "SHA256SUMS.hmac";

/** The archive's files besides those three. */
export const FILES = {
  keys: "keys.jsonl",
  usage: "usage.jsonl",
  months: "usage-months.jsonl",
  operators: "operators.jsonl",
  audit: "audit.jsonl",
  signingKeys: "signing-keys.json",
} as const;

const count = z.int().nonnegative();
const content = {
  createdAt: z.string(),
  keys: z.strictObject({
    events: count,
    /** The last event's sequence, and its message's SHA-256: they show whether a stream holds this backup. */
    lastSequence: count,
    lastMessageSha256: z.string(),
  }),
  usageMessages: count,
  monthMessages: count,
  // Absent in backups of earlier versions.
  operatorMessages: count.optional(),
  auditMessages: count.optional(),
  hasSigningKeys: z.boolean(),
};
export const manifestSchema = z.strictObject({
  format: z.literal("geolookup-backup"),
  version: z.literal(VERSION),
  ...content,
  bytes: z.record(z.string(), count),
});

const contentSchema = z.object(content);
/** An archive's description of itself. */
export type Content = z.infer<typeof contentSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** The files of an archive besides the manifest. */
export function filesOf(content: Pick<Manifest, "hasSigningKeys" | "operatorMessages" | "auditMessages">): string[] {
  const { signingKeys, operators, audit, ...always } = FILES;
  const files: string[] = Object.values(always);
  if (content.operatorMessages !== undefined) files.push(operators);
  if (content.auditMessages !== undefined) files.push(audit);
  return content.hasSigningKeys ? [...files, signingKeys] : files;
}

/**
 * Creates an archive: a folder with a manifest, checksums as `sha256sum -c` reads them, and their authentication code,
 * readable only by its owner. The folder appears only once it is complete.
 * @param fill writes the FILES and describes their content.
 * @throws StartError if the folder exists or can't be created, and anything that `fill` throws.
 */
export async function makeArchive(
  folder: string,
  key: BackupKey,
  fill: (folder: string) => Promise<Content>,
): Promise<Content> {
  const path = resolve(folder);
  if (await exists(path)) throw new StartError(`${folder} already exists; name another folder for the backup`);
  const partial = `${path}.partial`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    throw new StartError(`can't create the folder ${folder}: ${(error as Error).message}`);
  }
  try {
    const content = await fill(partial);
    const sums: string[] = [];
    const bytes: Record<string, number> = {};
    for (const name of filesOf(content)) {
      const digest = await digestOf(join(partial, name));
      sums.push(`${digest.sha256}  ${name}\n`);
      bytes[name] = digest.bytes;
    }
    const write = (name: string, text: string) => writeFile(join(partial, name), text, { mode: 0o600, flush: true });
    const manifest = { format: "geolookup-backup", version: VERSION, ...content, bytes };
    await write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
    sums.unshift(`${(await digestOf(join(partial, MANIFEST))).sha256}  ${MANIFEST}\n`);
    await write(SUMS, sums.join(""));
    await write(CODE, authenticate(key, sums.join("")));
    await chmod(partial, 0o700);
    await syncFolder(partial);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return content;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
