import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { signatureOf } from "@geolookup/shared/runtime/files/watch-files.ts";

/** Small enough that a stop takes effect quickly, and that a file that shrinks doesn't take all its memory at once. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** Why a file isn't read, in words for an operator that follow its name. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
  /** The system's error code, such as EISDIR for a folder. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Opens a regular file for reading. With anything else at that path (a named pipe, a device), it neither waits nor reads.
 * @throws UnreadableFileError, and what opening throws.
 */
export async function openRegularFile(path: string): Promise<{ file: FileHandle; stats: BigIntStats }> {
  // Windows knows no O_NONBLOCK, and its pipes have no paths in folders.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat({ bigint: true });
    if (stats.isDirectory()) throw new UnreadableFileError("it is a folder, not a regular file", "EISDIR");
    if (!stats.isFile()) throw new UnreadableFileError(`it is ${describeKind(stats)}, not a regular file`);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Reads a regular file that isn't modified during the read.
 * @param maxBytes a larger file is not read.
 * @returns its bytes, which share their memory with nothing else, the signature that it had before and after, and whether
 * no other user but root can have written it; null when it changed while it was read.
 * @throws UnreadableFileError, and what opening and reading throw.
 */
export async function readWhole(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer<ArrayBuffer>; signature: string; isOurs: boolean } | null> {
  const { file, stats: before } = await openRegularFile(path);
  try {
    if (before.size > BigInt(maxBytes))
      throw new UnreadableFileError(`it has ${before.size} bytes, more than the ${maxBytes} it may have`);
    const bytes = Buffer.allocUnsafeSlow(Number(before.size));
    const read = await fill(file, bytes, signal);
    const signature = signatureOf(before);
    const isSame = read === bytes.length && signatureOf(await file.stat({ bigint: true })) === signature;
    return isSame ? { bytes, signature, isOurs: isOurs(before) } : null;
  } finally {
    await file.close();
  }
}

/** Windows has no Unix owners and modes. */
function isOurs({ uid, mode }: BigIntStats): boolean {
  const user = process.getuid?.();
  return user === undefined || ((uid === BigInt(user) || uid === 0n) && (mode & 0o022n) === 0n);
}

async function fill(file: FileHandle, bytes: Buffer, signal: AbortSignal | undefined): Promise<number> {
  let read = 0;
  while (read < bytes.length) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(bytes, read, Math.min(CHUNK_BYTES, bytes.length - read), read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return read;
}

function describeKind(stats: BigIntStats): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}
