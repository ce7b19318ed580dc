import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** A new empty folder, removed when this process ends. */
export function tempFolder(): string {
  if (made.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(tmpdir(), "geolookup-test-"));
  made.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
