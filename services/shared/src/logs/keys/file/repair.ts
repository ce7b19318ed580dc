import type { FileHandle } from "node:fs/promises";
import { writeAll } from "../../../runtime/files/files.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import type { VerifiedKeyLog } from "./file.ts";
import { KEY_LOG_HEADER } from "./file.ts";

/**
 * Repairs a verified file, durably: removes a torn tail, and adds a missing newline or header.
 * @returns the file's size in bytes after that.
 */
export async function repairKeyLog(
  file: FileHandle,
  path: string,
  verified: VerifiedKeyLog,
  log: Logger,
): Promise<number> {
  let { size } = verified;
  const { kind, bytes } = verified.tail;
  if (kind === "unended") {
    log.warn({ path }, "key log: last line without newline kept");
    size += bytes + (await writeAll(file, "\n", size + bytes));
  } else if (kind === "torn") {
    log.warn({ path, bytes }, "key log: incomplete last line removed; a crash interrupted its write");
    await file.truncate(size);
  }
  if (size === 0) size = await writeAll(file, KEY_LOG_HEADER, 0);
  await file.datasync();
  return size;
}
