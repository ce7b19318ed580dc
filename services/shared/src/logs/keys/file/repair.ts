import type { FileHandle } from "node:fs/promises";
import { writeAll } from "../../../runtime/files/files.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import type { VerifiedKeyLog } from "./file.ts";
import { KEY_LOG_HEADER } from "./line.ts";

/**
 * Brings a verified file into its whole form, durably: a torn tail is cut off, a missing line end
 * or header written.
 * @returns the file's size in bytes from here on.
 */
export async function mendKeyLog(
  file: FileHandle,
  path: string,
  verified: VerifiedKeyLog,
  log: Logger,
): Promise<number> {
  let { size } = verified;
  const { kind, bytes } = verified.tail;
  if (kind === "unended") {
    log.warn({ path }, "the key log's last line lacked its end; it is whole and was kept");
    size += bytes + (await writeAll(file, "\n", size + bytes));
  } else if (kind === "torn") {
    log.warn({ path, bytes }, "the key log's last line was cut short by a crash and was removed");
    await file.truncate(size);
  }
  if (size === 0) size = await writeAll(file, KEY_LOG_HEADER, 0);
  await file.datasync();
  return size;
}
