import { type OpenedDatabase, type OpenOptions, openDatabase } from "./database.ts";

/** An opened database with its path. */
export interface OpenedFile extends OpenedDatabase {
  path: string;
}

/**
 * Opens and checks databases.
 * @param options.threads how many are checked at a time. By default one: each check takes a thread and memory that a running
 *   service needs, too.
 * @throws StartError naming one that can't be used.
 */
export async function openFiles(
  paths: readonly string[],
  { threads = 1, signal, ...options }: OpenOptions & { threads?: number | undefined } = {},
): Promise<OpenedFile[]> {
  const files: OpenedFile[] = [];
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const remaining = paths.entries();
  const openRemaining = async () => {
    for (const [index, path] of remaining)
      files[index] = { path, ...(await openDatabase(path, { ...options, signal: either })) };
  };
  const opening = Array.from({ length: threads }, async () => openRemaining().catch((error) => failed.abort(error)));
  await Promise.all(opening);
  either.throwIfAborted();
  return files;
}
