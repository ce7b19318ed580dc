import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { installedReports, removeOldReports, reportFile } from "@geolookup/geo/report/report-file.ts";
import { sha256Of } from "../store/source.ts";
import { temporaryFolder } from "../store/version-store.ts";
import { isBeside, type Manifest, REPORT_PATH } from "./manifest.ts";
import type { ServerClient } from "./server-client.ts";

/** Where the files are. */
const FOLDERS = ["", "geofeeds", "time-zones"];

/**
 * Makes the files beside the databases match a manifest. Each is replaced in one step, and those that the server no
 * longer has are removed.
 * @returns the first error; the other files were copied anyway.
 */
export async function copyBeside(
  manifest: Manifest,
  { folder, download }: { folder: string; download: ServerClient["download"] },
): Promise<Error | null> {
  let problem: Error | null = null;
  const reports = installedReports(folder);
  const hashes = manifest.databases.map(({ sha256 }) => sha256);
  await mkdir(temporaryFolder(folder), { recursive: true });
  for (const file of manifest.beside) {
    if (file.path.startsWith("time-zones/")) continue;
    const target = file.path === REPORT_PATH ? reportFile(reports, hashes) : join(folder, file.path);
    try {
      if ((await sha256Of(target).catch(() => "")) === file.sha256) continue;
      const staged = join(temporaryFolder(folder), "beside");
      await download(file, staged);
      await mkdir(dirname(target), { recursive: true });
      await rename(staged, target);
    } catch (error) {
      problem ??= error as Error;
    }
  }
  await removeOthers(manifest, folder);
  await removeOldReports(reports);
  return problem;
}

async function removeOthers({ beside }: Manifest, folder: string): Promise<void> {
  const named = new Set(beside.map(({ path }) => path));
  for (const subfolder of FOLDERS)
    for (const name of await readdir(join(folder, subfolder)).catch((): string[] => [])) {
      const path = subfolder === "" ? name : `${subfolder}/${name}`;
      if (isBeside(path) && !named.has(path)) await rm(join(folder, path), { force: true });
    }
}
