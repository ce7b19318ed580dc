import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, writeAll } from "../../runtime/files/files.ts";
import { StartError } from "../../runtime/lifecycle/start-error.ts";
import type { Logger } from "../../runtime/observability/log.ts";
import { AppendOnlyFile, checkedLine, isCheckedLine, parseCheckedLine, scanLines } from "./log-file.ts";

const MAX_LINE_BYTES = 1 << 20;

/** One line with a checksum, and its newline. */
export function encodeLine(value: object): string {
  return `${checkedLine(JSON.stringify(value).slice(1))}\n`;
}

/** @throws Error saying what is wrong with the line, without its content. */
function decodeLine(line: Buffer): object {
  if (!isCheckedLine(line)) throw new Error("its checksum is wrong");
  const { crc32: _, ...value } = parseCheckedLine(line);
  return value;
}

/**
 * Opens a file of lines for appending, creating it if needed. An incomplete last line, left by a crash, is removed and logged.
 * @param options.name what the file is, for messages.
 * @param options.visit called with each line's object, in order.
 * @throws StartError naming the file and the line, for any other damage, or if `visit` throws.
 */
export async function openLineFile(
  path: string,
  { name, visit, log }: { name: string; visit: (value: object) => void; log: Logger },
): Promise<AppendOnlyFile> {
  let lines = 0;
  const visitLine = (line: Buffer) => {
    lines += 1;
    visit(decodeLine(line));
  };
  try {
    await using opened = new AsyncDisposableStack();
    const file = opened.use(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600));
    const { rest, position } = await scanLines(file, { from: 0 }, visitLine, MAX_LINE_BYTES);
    let size = position;
    if (rest.length > 0 && isCheckedLine(rest)) {
      visitLine(rest);
      size += rest.length + (await writeAll(file, "\n", position + rest.length));
    } else if (rest.length > 0) {
      log.warn({ path, bytes: rest.length }, "incomplete last line removed; a crash interrupted its write");
      await file.truncate(size);
    }
    await file.datasync();
    await syncFolder(dirname(path));
    opened.move();
    return new AppendOnlyFile(file, size);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`${name} ${path} can't be opened, or is damaged at line ${lines + 1}: ${message}`);
  }
}

/** Calls `visit` with each object in a file of lines, in order. @throws Error for damage, and what `visit` throws. */
export async function readLineFile(path: string, visit: (value: object) => void): Promise<void> {
  await using file = await open(path, "r");
  await scanLines(file, { from: 0 }, (line) => visit(decodeLine(line)), MAX_LINE_BYTES);
}
