import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Never follows a link, and never waits for the other end of a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;

/** Opens a file of an archive for reading. @throws Error when it is a link, a folder, a device or a pipe. */
async function openArchiveFile(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? new Error("it is a link") : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("it isn't a regular file");
}

/** A small file's bytes. @throws Error when it is larger than `maxBytes`, or like openArchiveFile. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openArchiveFile(path);
  try {
    if ((await file.stat()).size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
      // The file has grown since the check above.
      if (length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    }
  } finally {
    await file.close();
  }
}

/** A file's size and SHA-256, read in chunks. @throws like openArchiveFile. */
export async function digestOf(path: string, maxBytes = Number.POSITIVE_INFINITY) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunksOf(path)) {
    bytes += chunk.length;
    if (bytes > maxBytes) break;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * A file's bytes, in chunks.
 * @param sha256 the expected SHA-256 of the whole file, checked at the end; not checked if unset.
 * @throws Error when the SHA-256 differs, or like openArchiveFile.
 */
async function* chunksOf(path: string, sha256?: string): AsyncGenerator<Buffer> {
  const file = await openArchiveFile(path);
  const hash = createHash("sha256");
  try {
    const stream = file.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (sha256 !== undefined) hash.update(chunk);
      yield chunk;
    }
  } finally {
    await file.close();
  }
  if (sha256 !== undefined && hash.digest("hex") !== sha256) throw new Error("it changed while it was being read");
}

/** The lines of a file, without line ends. @throws Error when one is longer than `maxBytes`, or like chunksOf. */
export async function* linesOf(path: string, maxBytes: number, sha256?: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunksOf(path, sha256)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString("utf8");
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxBytes) throw new Error(`a line is longer than ${maxBytes} bytes`);
  }
  if (restBytes > 0) yield Buffer.concat(rest).toString("utf8");
}
