import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Of plans and signing keys: far more than any operator needs. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file that operators change while the service runs. It waits for nobody: a pipe or a device at that path would
 * hold the process, which would not even see a SIGTERM.
 * @throws Error when it isn't a regular file, is larger than 16 MB, or cannot be read.
 */
export function readSettingsFile(path: string): string {
  // Windows knows no O_NONBLOCK, and its pipes have no paths in folders.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
