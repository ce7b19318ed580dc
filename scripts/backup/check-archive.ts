import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { type Content, FILES, filesOf, MANIFEST, manifestSchema, SUMS, sha256Of, VERSION } from "./archive.ts";
import { readMessages } from "./stream-messages.ts";

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

async function countMessages(path: string): Promise<number> {
  let count = 0;
  for await (const _ of readMessages(path)) count += 1;
  return count;
}
