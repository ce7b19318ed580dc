import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";

/** Moves a finished file to its place. After a crash or power loss, the place has a complete file: the old one or the new one. */
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
