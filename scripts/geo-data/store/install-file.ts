import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";

/** Moves a finished file to its place so that whatever happens, power loss included, that place holds a whole file: the old or the new. */
export async function installFile(temporary: string, target: string): Promise<void> {
  await syncFile(temporary);
  await rename(temporary, target);
  await syncFolder(dirname(target));
}

/** Makes the bytes of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
