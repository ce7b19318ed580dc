import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { decidedEpoch } from "@geolookup/shared/domain/key-log-epoch.ts";
import { keyLogFileIn } from "@geolookup/shared/logs/keys/file/key-log.ts";
import { syncFolder } from "@geolookup/shared/runtime/files/files.ts";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { markFileIn, writeMark } from "./mark-file.ts";

/**
 * Lets the service in a data folder start with an empty key log. The previous one is kept beside it.
 * @returns its path; null if there was none.
 * @throws StartError if the folder doesn't exist, or the service is running.
 */
export async function startNewKeyLog(dataDir: string): Promise<string | null> {
  if (!existsSync(dataDir))
    throw new StartError(`there is no folder ${dataDir}. Set DATA_DIR to the service's data folder`);
  const folder = join(dataDir, "keys");
  using _locked = lockFolder(folder);
  const path = keyLogFileIn(folder);
  const saved = existsSync(path) ? `${path}.${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}` : null;
  if (saved !== null) {
    await rename(path, saved);
    await syncFolder(folder);
  }
  const epoch = decidedEpoch("new", Date.now());
  await writeMark(markFileIn(dataDir), { epoch, sequence: 0, eventId: "", signingKeys: [] });
  return saved;
}
