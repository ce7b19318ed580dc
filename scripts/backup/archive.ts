import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "@geolookup/shared/runtime/files.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { z } from "zod";
import { readMessages } from "./stream-messages.ts";

/** Of the archive's form; another one is not read. */
const VERSION = 1;
const SUMS = "SHA256SUMS";
const MANIFEST = "manifest.json";

/** The archive's files besides those two. */
export const FILES = {
  keys: "keys.snapshot",
  usage: "usage.jsonl",
  months: "usage-months.jsonl",
  signingKeys: "signing-keys.json",
} as const;

const contentSchema = z.strictObject({
  createdAt: z.string(),
  keys: z.strictObject({
    events: z.int().nonnegative(),
    /** Of the last event, and that message's SHA-256: whether a stream holds this backup is told by it. */
    lastSequence: z.int().nonnegative(),
    lastMessageSha256: z.string(),
  }),
  usageMessages: z.int().nonnegative(),
  monthMessages: z.int().nonnegative(),
  hasSigningKeys: z.boolean(),
});
const manifestSchema = contentSchema.extend({ format: z.literal("geolookup-backup"), version: z.literal(VERSION) });

/** What an archive says of itself. */
export type Content = z.infer<typeof contentSchema>;

/**
 * Makes an archive: a folder with a manifest and checksums as `sha256sum -c` reads them, for its owner alone. It is
 * there when all of it is.
 * @param fill writes the FILES and says what they hold.
 * @throws StartError when the folder is there already or cannot be made; what fill throws.
 */
export async function makeArchive(folder: string, fill: (folder: string) => Promise<Content>): Promise<Content> {
  const path = resolve(folder);
  if (await isThere(path)) throw new StartError(`${folder} is there already; name another folder for the backup`);
  const partial = `${path}.partial`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot make the folder ${folder}: ${(error as Error).message}`);
  }
  try {
    const content = await fill(partial);
    const manifest = { format: "geolookup-backup", version: VERSION, ...content };
    await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    const sums = await Promise.all(
      filesOf(content).map(async (name) => `${await sha256Of(join(partial, name))}  ${name}\n`),
    );
    await writeFile(join(partial, SUMS), sums.join(""), { mode: 0o600, flush: true });
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

/**
 * Checks a whole archive, byte for byte and line for line.
 * @returns what it holds.
 * @throws StartError saying what is wrong with it.
 */
export async function checkArchive(folder: string): Promise<Content> {
  const name = basename(resolve(folder));
  const sums = await readSums(folder, name);
  for (const [file, sum] of sums) {
    const found = await sha256Of(join(folder, file)).catch((error: NodeJS.ErrnoException) =>
      Promise.reject(new StartError(`the backup ${name} is not whole: cannot read ${file}: ${error.message}`)),
    );
    if (found !== sum)
      throw new StartError(
        `the backup ${name} is damaged: ${file} is not what was written (its checksum differs). Use another backup`,
      );
  }
  const content = await readManifest(folder, name);
  for (const file of filesOf(content))
    if (!sums.has(file)) throw new StartError(`the backup ${name} is damaged: ${SUMS} does not name ${file}`);
  for (const [file, expected] of [
    [FILES.usage, content.usageMessages],
    [FILES.months, content.monthMessages],
  ] as const)
    if ((await countMessages(join(folder, file)).catch(() => -1)) !== expected)
      throw new StartError(`the backup ${name} is damaged: ${file} does not have its ${expected} messages`);
  return content;
}

async function readSums(folder: string, name: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, SUMS), "utf8").catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === "ENOENT" || error.code === "ENOTDIR";
    throw new StartError(
      isMissing
        ? `${folder} is no backup of geolookup: there is no ${SUMS} in it. Name a folder that \`make backup\` made`
        : `the backup ${name} cannot be read: ${error.message}. Give it to the user who restores it`,
    );
  });
  const sums = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, sum = "", file = ""] = /^([0-9a-f]{64}) {2}(\w[\w.-]*)$/.exec(line) ?? [];
    if (file === "") throw new StartError(`the backup ${name} is damaged: ${SUMS} has a line that is none`);
    sums.set(file, sum);
  }
  if (!sums.has(MANIFEST)) throw new StartError(`the backup ${name} is damaged: ${SUMS} does not name ${MANIFEST}`);
  return sums;
}

async function readManifest(folder: string, name: string): Promise<Content> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(join(folder, MANIFEST), "utf8"));
  } catch {
    throw new StartError(`the backup ${name} is damaged: its ${MANIFEST} cannot be read`);
  }
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown };
  if (format === "geolookup-backup" && version !== VERSION)
    throw new StartError(
      `the backup ${name} has form ${JSON.stringify(version)}, and this version of geolookup reads form ${VERSION}: ` +
        "restore it with the version that made it",
    );
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw new StartError(`${name} is no backup of geolookup: its ${MANIFEST} says something else`);
  const { format: _, version: __, ...content } = parsed.data;
  return content;
}

function filesOf({ hasSigningKeys }: Content): string[] {
  const files = [MANIFEST, FILES.keys, FILES.usage, FILES.months];
  return hasSigningKeys ? [...files, FILES.signingKeys] : files;
}

async function countMessages(path: string): Promise<number> {
  let count = 0;
  for await (const _ of readMessages(path)) count += 1;
  return count;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
