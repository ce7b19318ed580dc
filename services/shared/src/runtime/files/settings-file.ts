import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Far more than any plans or signing keys need. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file that operators change while the service runs. It never blocks: otherwise, with a pipe or a device at that path, the
 * process would hang and ignore SIGTERM.
 * @throws Error if it isn't a regular file, is larger than 16 MB, or can't be read.
 */
export function readSettingsFile(path: string): string {
  // Windows has no O_NONBLOCK, and no pipes in folders.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it isn't a regular file");
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
