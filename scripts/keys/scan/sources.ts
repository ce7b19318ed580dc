import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { standardInput } from "../../read-input.ts";

const CHUNK_BYTES = 1_048_576;

/** A file, or an object of a Git repository, with a function that reads it. */
export interface Source {
  file: string;
  /** The ID of a Git object. */
  object?: string;
  chunks: AsyncIterable<Buffer>;
}

/**
 * Everything at a path: a file; all regular files of a folder and its folders; and every version of every file, and the messages, in the
 * history of each Git repository there. Links in folders aren't followed. Each source must be read before the next one is requested.
 * @param path "-": standard input.
 * @param unread called with what can't be read, and why.
 * @param isNamed whether the operator named the path: then it may be a link or a pipe.
 */
export async function* sourcesAt(
  path: string,
  unread: (file: string, reason: string) => void,
  isNamed = true,
): AsyncGenerator<Source> {
  if (path === "-") {
    yield { file: "standard input", chunks: standardInput() };
    return;
  }
  try {
    const found = await (isNamed ? stat : lstat)(path);
    if (found.isFile() || (isNamed && !found.isDirectory()))
      yield { file: path, chunks: createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
    if (!found.isDirectory()) return;
    const names = new Set<string>();
    for await (const { name } of await opendir(path)) names.add(name);
    const isBare = ["HEAD", "objects", "refs"].every((name) => names.has(name));
    if (isBare || names.delete(".git")) yield* historyOf(path, unread);
    for (const name of isBare ? [] : names) yield* sourcesAt(join(path, name), unread, false);
  } catch (error) {
    unread(path, (error as Error).message);
  }
}

/**
 * Every object in the history of a Git repository, once, with one path where it was. These two commands run no program that the
 * repository's settings name, unlike `git log --patch`.
 */
async function* historyOf(folder: string, unread: (file: string, reason: string) => void): AsyncGenerator<Source> {
  // Otherwise, a partial clone would fetch objects from where its settings say.
  const env = { ...process.env, GIT_NO_LAZY_FETCH: "1" };
  const listing = spawn("git", ["-C", folder, "rev-list", "--all", "--reflog", "--objects"], { env });
  const format = "%(objectname) %(objecttype) %(objectsize) %(rest)";
  const reading = spawn("git", ["-C", folder, "cat-file", "--buffer", `--batch=${format}`], { env });
  let problem = "";
  for (const child of [listing, reading]) {
    child.on("error", (error) => (problem ||= error.message));
    child.stderr.on("data", (text) => (problem ||= String(text).split("\n", 1)[0] ?? ""));
  }
  reading.stdin.on("error", () => undefined);
  listing.stdout.pipe(reading.stdin);
  try {
    const objects = createObjectReader(reading.stdout);
    for (let header = await objects.nextHeader(); header; header = await objects.nextHeader()) {
      const [, object = "", type, size, path] = /^(\S+) (\S+) (\d+) ?(.*)$/.exec(header) ?? [];
      const isRead = type === "blob" || type === "commit" || type === "tag";
      const content = objects.content(Number(size ?? 0));
      if (isRead) yield { file: join(folder, path || type), object, chunks: content };
      for await (const _ of content);
    }
  } finally {
    listing.kill();
    reading.kill();
  }
  if (problem !== "") unread(join(folder, ".git"), problem);
}

/** Reads the output of `git cat-file --batch`: a header line, the content and a line feed, for each object. */
function createObjectReader(output: Readable) {
  const chunks: AsyncIterator<Buffer> = output[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  const read = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value]);
    return !done;
  };
  return {
    /** @returns undefined at the end. */
    async nextHeader(): Promise<string | undefined> {
      for (;;) {
        const end = buffered.indexOf("\n");
        if (end !== -1) {
          const header = buffered.toString("utf8", 0, end);
          buffered = buffered.subarray(end + 1);
          return header;
        }
        if (!(await read())) return undefined;
      }
    },
    /** The content of the object after its header. It can be read once, and continued after a break. */
    async *content(size: number): AsyncGenerator<Buffer> {
      // A line feed follows, which isn't part of it.
      for (let left = size + 1; left > 0; ) {
        if (buffered.length === 0 && !(await read())) return;
        const part = buffered.subarray(0, left);
        buffered = buffered.subarray(part.length);
        left -= part.length;
        yield left === 0 ? part.subarray(0, -1) : part;
      }
    },
  };
}
